import type { Currency } from '@paywatch/domain/values';
import { onConflictLockQueued } from '../invoices/due-decisions.ts';
import { lockChainAsLeader } from './leadership.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import { GRACE_SECONDS, STALE_AFTER_SECONDS } from '../invoices/invoice-snapshots.ts';
import type { Store } from '../store.ts';

/**
 * Stores that everything the source knew at `readFromMs` (epoch milliseconds by the clock of Postgres) is read and recorded. If
 * the view was stale until now, deadlines that passed meanwhile are moved to one grace period from now, so that downtime makes
 * no payer late. Throws LeadershipLostError.
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
 * Stores that the source itself reports an incomplete chain. If the last complete read is too long ago, the stale period starts
 * there. Safe to repeat. Throws LeadershipLostError.
 */
export async function markStale(store: Store, currency: Currency, processId: string): Promise<void> {
  await inTransaction(store, async (tx) => {
    await lockChainAsLeader(tx, currency, processId);
    await tx`update chains set stale_since = coalesce(${startOfStaleness(tx)}, now()) where currency = ${currency}`;
  });
}

/** Since when the view has been stale, even if no process was up to store that; null while it is fresh. */
function startOfStaleness(tx: TransactionSql) {
  return tx`
    case when stale_since is not null then stale_since
         when checked_at <= now() - make_interval(secs => ${STALE_AFTER_SECONDS}) then checked_at end`;
}

/** Payments made meanwhile may be in time now, and no later block might cause a decision, so their invoices are queued. */
async function postponeDeadlines(
  tx: TransactionSql,
  currency: Currency,
  staleSince: Date,
  graceSeconds: number,
): Promise<void> {
  const isPassed = tx`
    currency = ${currency} and status in ('new', 'pending') and not deadline_swept
    and deadline_at between ${staleSince} and now()`;
  // Queued first and locked in the order of ids, as settlements do; otherwise two transactions could deadlock.
  await tx`
    insert into due_decisions (currency, invoice_id)
    select ${currency}, id from invoices
    where ${isPassed} and exists (select from payments p where p.invoice_id = invoices.id)
    order by id
    ${onConflictLockQueued(tx)}`;
  await tx`
    with passed as (select id from invoices where ${isPassed} order by id for update)
    update invoices i set deadline_at = now() + make_interval(secs => ${graceSeconds}) from passed where i.id = passed.id`;
}
