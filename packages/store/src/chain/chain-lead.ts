import { type TransactionSql } from '../postgres/database.ts';
import type { Store } from '../store.ts';

type Currency = 'BTC' | 'LTC';

const LEASE = '5 seconds';

/** Another process leads the chain, or none: what this one has read since may contradict what is recorded. */
export class LeadLostError extends Error {
  override name = 'LeadLostError';

  constructor(currency: Currency) {
    super(`${currency}: this process no longer leads`);
  }
}

/**
 * Takes the lead of a chain for five seconds by Postgres's clock. True when `processId` leads.
 * One process at a time leads; a dead or frozen one is succeeded when its time runs out.
 */
export async function takeLead(store: Store, currency: Currency, processId: string): Promise<boolean> {
  const rows = await store.sql`
    update chains set leader_id = ${processId}, leader_until = now() + ${LEASE}::interval
    where currency = ${currency} and (leader_id = ${processId} or leader_until is null or leader_until < now())
    returning 1`;
  return rows.length > 0;
}

/**
 * Leads on for five seconds from now. False when the time had run out, though nobody else took the lead: whoever was
 * frozen that long must begin anew, and a lead won back in the middle of a look would hide it.
 */
export async function keepLead(store: Store, currency: Currency, processId: string): Promise<boolean> {
  const rows = await store.sql`
    update chains set leader_until = now() + ${LEASE}::interval
    where currency = ${currency} and leader_id = ${processId} and leader_until > now()
    returning 1`;
  return rows.length > 0;
}

/** Gives the lead away at once, so that a successor need not wait. Safe when another one leads. */
export async function leaveLead(store: Store, currency: Currency, processId: string): Promise<void> {
  await store.sql`update chains set leader_until = null, leader_id = null
                  where currency = ${currency} and leader_id = ${processId}`;
}

/**
 * Serialises everything that changes what we know of a chain, until the transaction ends. Two transactions that
 * conflict with each other would else be recorded at once, each blind to the other.
 */
export async function lockChain(tx: TransactionSql, currency: Currency): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext(${`paywatch chain ${currency}`}))`;
}

/**
 * The same for what only the leader may write. Throws LeadLostError where the process leads no more: a leader that was
 * frozen would else undo, with what it read before, what its successor has recorded.
 */
export async function lockChainAsLeader(
  tx: TransactionSql,
  currency: Currency,
  processId: string,
): Promise<void> {
  const [, rows] = await Promise.all([
    lockChain(tx, currency),
    // Not now(): the time may have run out while this transaction waited for the lock.
    tx`
      select 1 from chains
      where currency = ${currency} and leader_id = ${processId} and leader_until > clock_timestamp()`,
  ]);
  if (rows.length === 0) throw new LeadLostError(currency);
}
