import type { Currency } from '@paywatch/domain/values';
import { type TransactionSql } from '../postgres/database.ts';
import type { Store } from '../store.ts';

const LEASE = '5 seconds';

/** This process no longer leads the chain, so what it read since may contradict what is recorded. */
export class LeadershipLostError extends Error {
  override name = 'LeadershipLostError';

  constructor(currency: Currency) {
    super(`${currency}: this process no longer leads`);
  }
}

/**
 * Acquires the leadership of a chain for five seconds by the clock of Postgres. Returns whether `processId` leads. One process
 * leads at a time; after a crash or freeze, another one takes over when the lease expires.
 */
export async function acquireLeadership(
  store: Store,
  currency: Currency,
  processId: string,
): Promise<boolean> {
  const rows = await store.sql`
    update chains set leader_id = ${processId}, leader_until = now() + ${LEASE}::interval
    where currency = ${currency} and (leader_id = ${processId} or leader_until is null or leader_until < now())
    returning 1`;
  return rows.length > 0;
}

/**
 * Extends the lease to five seconds from now. Returns false if it had expired, even if no other process took over: a process
 * that was frozen that long must start again, and renewing in the middle of a poll would hide the gap.
 */
export async function renewLeadership(store: Store, currency: Currency, processId: string): Promise<boolean> {
  const rows = await store.sql`
    update chains set leader_until = now() + ${LEASE}::interval
    where currency = ${currency} and leader_id = ${processId} and leader_until > now()
    returning 1`;
  return rows.length > 0;
}

/** Releases the leadership at once, so that a successor need not wait. Safe if another process leads. */
export async function releaseLeadership(store: Store, currency: Currency, processId: string): Promise<void> {
  await store.sql`update chains set leader_until = null, leader_id = null
                  where currency = ${currency} and leader_id = ${processId}`;
}

/**
 * Serialises all changes to what is recorded about a chain until the transaction ends. Otherwise two conflicting transactions
 * could be recorded concurrently without seeing each other.
 */
export async function lockChain(tx: TransactionSql, currency: Currency): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext(${`paywatch chain ${currency}`}))`;
}

/**
 * The same for writes that only the leader may make. Throws LeadershipLostError if the process no longer leads: a former leader
 * that was frozen would overwrite, with outdated reads, what its successor has recorded.
 */
export async function lockChainAsLeader(
  tx: TransactionSql,
  currency: Currency,
  processId: string,
): Promise<void> {
  const [, rows] = await Promise.all([
    lockChain(tx, currency),
    // Not now(): the lease may have expired while this transaction waited for the lock.
    tx`
      select 1 from chains
      where currency = ${currency} and leader_id = ${processId} and leader_until > clock_timestamp()`,
  ]);
  if (rows.length === 0) throw new LeadershipLostError(currency);
}
