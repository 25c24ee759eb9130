import type { Currency } from '@paywatch/domain/values';
import { claimDueDecisions, claimPastDeadline, claimUnshownDonations } from '@paywatch/store/invoices';
import { inTransaction, type TransactionSql } from '@paywatch/store/postgres';
import type { WatcherContext } from '../context.ts';
import { publishSettled } from './settle-invoices.ts';
import { settlingWithParking } from './settle-or-park.ts';

/** Invoices settled in one transaction: short enough for its locks, large enough to share its cost. */
const BATCH = 200;

/** Settles every queued invoice, after the tip moved or a block was disconnected. Safe in any number of workers. */
export function settleDueDecisions(context: WatcherContext, currency: Currency): Promise<number> {
  return settleBatches(context, currency, claimDueDecisions);
}

/** Settles open invoices whose deadline has passed; none while the chain view is stale. Safe in any number of workers. */
export function sweepDeadlines(context: WatcherContext, currency: Currency): Promise<number> {
  return settleBatches(context, currency, claimPastDeadline);
}

/** Settles donations that nobody looked at in time; none while the chain view is stale. Safe in any number of workers. */
export function sweepUnshown(context: WatcherContext, currency: Currency): Promise<number> {
  return settleBatches(context, currency, claimUnshownDonations);
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
