import type { Currency } from '@paywatch/domain/values';
import { takeDueDecisions, takePastDeadline, takeUnshown } from '@paywatch/store/invoices';
import { inTransaction, type TransactionSql } from '@paywatch/store/postgres';
import type { WatcherContext } from '../context.ts';
import { publishSettled } from './settle-invoices.ts';
import { settlingWithParking } from './settle-or-park.ts';

/** Invoices settled in one transaction: few enough that it is short, many enough that its cost is shared. */
const BATCH = 200;

/** Settles every invoice that waits for a decision since the tip moved or a block left. Any number of workers at once. */
export function settleDueDecisions(context: WatcherContext, currency: Currency): Promise<number> {
  return settleBatches(context, currency, takeDueDecisions);
}

/** Settles open invoices whose deadline has passed; none while the chain view is stale. Any number of workers at once. */
export function sweepDeadlines(context: WatcherContext, currency: Currency): Promise<number> {
  return settleBatches(context, currency, takePastDeadline);
}

/** Settles donations that nobody was shown in time; none while the chain view is stale. Any number of workers at once. */
export function sweepUnshown(context: WatcherContext, currency: Currency): Promise<number> {
  return settleBatches(context, currency, takeUnshown);
}

type Take = (tx: TransactionSql, currency: Currency, limit: number) => Promise<bigint[]>;

async function settleBatches(context: WatcherContext, currency: Currency, take: Take): Promise<number> {
  for (let count = 0; ;) {
    const { taken, settled } = await settlingWithParking((settle) =>
      inTransaction(context.store, async (tx) => {
        const ids = await take(tx, currency, BATCH);
        return { taken: ids.length, settled: await settle(context, tx, currency, ids) };
      }),
    );
    await publishSettled(context, settled);
    count += taken;
    if (taken < BATCH) return count;
  }
}
