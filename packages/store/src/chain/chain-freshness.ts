import { orHoldQueued } from '../invoices/settlement.ts';
import { lockChainAsLeader } from './chain-lead.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import { GRACE_SECONDS, STALE_AFTER_SECONDS } from '../invoices/invoice-snapshots.ts';
import type { Store } from '../store.ts';

type Currency = 'BTC' | 'LTC';

/**
 * Notes that everything is read and recorded that the source knew at `readFromMs` (epoch milliseconds by Postgres's
 * clock). If the view was stale until now, deadlines that passed meanwhile move to the grace from now, so that downtime
 * makes no honest payer late. Throws LeadLostError.
 */
export async function markFresh(
  store: Store,
  currency: Currency,
  processId: string,
  readFromMs: number,
  graceSeconds = GRACE_SECONDS,
): Promise<void> {
  await inTransaction(store, async (tx) => {
    await lockChainAsLeader(tx, currency, processId);
    const [chain] = await tx<{ stale_since: Date | null }[]>`
      select ${startOfStaleness(tx)} as stale_since from chains where currency = ${currency}`;
    if (chain?.stale_since) await postponeDeadlines(tx, currency, chain.stale_since, graceSeconds);
    await tx`
      update chains set checked_at = now(), stale_since = null,
        mempool_read_at = greatest(mempool_read_at, to_timestamp(${readFromMs}::float8 / 1000))
      where currency = ${currency}`;
  });
}

/**
 * Notes that the source itself says that it does not have the whole chain. The stale period begins with the last good answer
 * where that is too long ago: nobody has looked since. Twice changes nothing. Throws LeadLostError.
 */
export async function markStale(store: Store, currency: Currency, processId: string): Promise<void> {
  await inTransaction(store, async (tx) => {
    await lockChainAsLeader(tx, currency, processId);
    await tx`update chains set stale_since = coalesce(${startOfStaleness(tx)}, now()) where currency = ${currency}`;
  });
}

/** Since when the view is stale, though nobody may have been there to note it; null while it is fresh. */
function startOfStaleness(tx: TransactionSql) {
  return tx`
    case when stale_since is not null then stale_since
         when checked_at <= now() - make_interval(secs => ${STALE_AFTER_SECONDS}) then checked_at end`;
}

/** What was paid meanwhile may be in time now, and there may be no block to come that would have it decided. */
async function postponeDeadlines(
  tx: TransactionSql,
  currency: Currency,
  staleSince: Date,
  graceSeconds: number,
): Promise<void> {
  const isPassed = tx`
    currency = ${currency} and status in ('new', 'pending') and not deadline_swept
    and deadline_at between ${staleSince} and now()`;
  // Queued first and locked in this order, as settlements do, so that none waits for another in a circle.
  await tx`
    insert into due_decisions (currency, invoice_id)
    select ${currency}, id from invoices
    where ${isPassed} and exists (select from payments p where p.invoice_id = invoices.id)
    order by id
    ${orHoldQueued(tx)}`;
  await tx`
    with passed as (select id from invoices where ${isPassed} order by id for update)
    update invoices i set deadline_at = now() + make_interval(secs => ${graceSeconds}) from passed where i.id = passed.id`;
}
