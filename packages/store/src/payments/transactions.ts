import type { Currency } from '@paywatch/domain/values';
import { onConflictLockQueued } from '../invoices/due-decisions.ts';
import type { AnySql, TransactionSql } from '../postgres/database.ts';
import { STALE_AFTER_SECONDS } from '../invoices/invoice-snapshots.ts';

/** A transaction that pays us, or shares an input with one that does. Ids are display hex, scripts lowercase hex. */
export type SeenTransaction = {
  txid: string;
  spends: readonly { txid: string; vout: number }[];
  outputs: readonly { vout: number; amount: bigint; scriptHex: string }[];
  /** When it entered the mempool by the node's clock; null if the node does not say. */
  mempoolTimeMs: number | null;
  isHogEx: boolean;
};

/** Where the transactions of one batch were seen. */
export type Place =
  | { kind: 'mempool' }
  // A block that is read again may be below all followed ones.
  | { kind: 'block'; height: number; hash: string; timeMs: number; isRescan?: boolean };

export type KnownTransaction = { txid: string; state: 'mempool' | 'block' | 'absent' | 'void' };

/** A recorded transaction and an outpoint that it spends, as `txid:vout`. */
export type Spender = { outpoint: string; txid: string };

/** The recorded transactions that spend any of the outpoints. One statement for a whole batch. */
export async function findSpenders(
  sql: AnySql,
  currency: Currency,
  outpoints: readonly { txid: string; vout: number }[],
): Promise<Spender[]> {
  if (outpoints.length === 0) return [];
  return sql<Spender[]>`
    select encode(i.spent_txid, 'hex') || ':' || i.spent_vout as outpoint, encode(i.txid, 'hex') as txid
    from unnest(${outpoints.map((o) => o.txid)}::text[], ${outpoints.map((o) => o.vout)}::int[]) as o (txid, vout)
    join transaction_inputs i
      on i.currency = ${currency} and i.spent_txid = decode(o.txid, 'hex') and i.spent_vout = o.vout`;
}

/** When a recorded transaction was first seen (epoch milliseconds), and in which batch. */
export type FirstRecord = { firstSeenMs: number; readCounter: bigint };

/** The first records of those transactions that are recorded, by txid. */
export async function loadFirstRecords(
  tx: TransactionSql,
  currency: Currency,
  txids: readonly string[],
): Promise<Map<string, FirstRecord>> {
  if (txids.length === 0) return new Map();
  const rows = await tx<{ txid: string; first_seen_at: Date; read_counter: bigint }[]>`
    select encode(txid, 'hex') as txid, first_seen_at, read_counter from transactions
    where currency = ${currency} and txid = any (array(select decode(t, 'hex') from unnest(${txids}::text[]) t))`;
  return new Map(
    rows.map((row) => [
      row.txid,
      { firstSeenMs: row.first_seen_at.getTime(), readCounter: row.read_counter },
    ]),
  );
}

/** A transaction of a batch. `mempoolMs`: since when a mempool is known to have held it; null if unknown. */
export type Sighted = { txid: string; firstSeenMs: number; mempoolMs: number | null };

/**
 * Writes that the transactions were seen at `place`, in the batch with this number. The number of the first batch is kept, and
 * times only move back. A block overrides everything; a mempool restores absent and void transactions. Safe to repeat.
 */
export async function upsertTransactions(
  tx: TransactionSql,
  currency: Currency,
  place: Place,
  seen: readonly Sighted[],
  readCounter: bigint,
): Promise<void> {
  const block = place.kind === 'block' ? place : null;
  await tx`
    insert into transactions (currency, txid, state, first_seen_at, mempool_at, block_height, block_hash, read_counter)
    select ${currency}, decode(txid, 'hex'), ${place.kind}, to_timestamp(first_seen_ms / 1000),
           to_timestamp(mempool_ms / 1000), ${block?.height ?? null}::int, decode(${block?.hash ?? null}::text, 'hex'),
           ${readCounter}::bigint
    from unnest(${seen.map((s) => s.txid)}::text[], ${seen.map((s) => s.firstSeenMs)}::float8[],
                ${seen.map((s) => s.mempoolMs)}::float8[])
      as seen (txid, first_seen_ms, mempool_ms)
    order by 2
    on conflict (currency, txid) do update set
      first_seen_at = least(transactions.first_seen_at, excluded.first_seen_at),
      mempool_at = least(transactions.mempool_at, excluded.mempool_at),
      state = case when excluded.state = 'block' or transactions.state <> 'block'
                   then excluded.state else transactions.state end,
      absent_since = case when excluded.state = 'block' or transactions.state <> 'block'
                          then null else transactions.absent_since end,
      block_height = coalesce(excluded.block_height, transactions.block_height),
      block_hash = coalesce(excluded.block_hash, transactions.block_hash)`;
}

/** Writes what the transactions spend. Safe to repeat. */
export async function insertInputs(
  tx: TransactionSql,
  currency: Currency,
  seen: readonly SeenTransaction[],
): Promise<void> {
  const inputs = seen.flatMap((s) => s.spends.map((spent) => ({ by: s.txid, ...spent })));
  await tx`
    insert into transaction_inputs (currency, spent_txid, spent_vout, txid)
    select ${currency}, decode(spent_txid, 'hex'), spent_vout, decode(by_txid, 'hex')
    from unnest(${inputs.map((i) => i.txid)}::text[], ${inputs.map((i) => i.vout)}::int[],
                ${inputs.map((i) => i.by)}::text[]) as input (spent_txid, spent_vout, by_txid)
    on conflict do nothing`;
}

/**
 * Makes conflicting transactions void: those outside the best chain that conflict with the transactions just seen, and
 * transactions just seen in a mempool that conflict with one in a block. Returns the txids that changed.
 */
export async function voidConflicting(
  tx: TransactionSql,
  currency: Currency,
  txids: readonly string[],
): Promise<string[]> {
  if (txids.length === 0) return [];
  const rows = await tx<{ txid: string }[]>`
    with seen as (select decode(t, 'hex') as txid from unnest(${txids}::text[]) t),
    pairs as (
      select distinct mine.txid as mine, theirs.txid as theirs
      from seen
      join transaction_inputs mine on mine.currency = ${currency} and mine.txid = seen.txid
      join transaction_inputs theirs on theirs.currency = ${currency}
        and theirs.spent_txid = mine.spent_txid and theirs.spent_vout = mine.spent_vout and theirs.txid <> mine.txid
    ),
    losers as (
      select case when t.state = 'block' then pairs.mine else pairs.theirs end as txid
      from pairs join transactions t on t.currency = ${currency} and t.txid = pairs.theirs
    )
    update transactions t set state = 'void', absent_since = coalesce(t.absent_since, now())
    where t.currency = ${currency} and t.txid = any (array(select txid from losers)) and t.state in ('mempool', 'absent')
    returning encode(t.txid, 'hex') as txid`;
  return rows.map((row) => row.txid);
}

/**
 * The transactions that a read of the mempool can change: those last seen there, absent ones, and void ones of the last day
 * (older ones come back as new arrivals). Their number grows with the payments in flight, not with the invoices.
 */
export async function loadUnsettledTransactions(
  sql: AnySql,
  currency: Currency,
): Promise<KnownTransaction[]> {
  return sql<KnownTransaction[]>`
    select encode(txid, 'hex') as txid, state from transactions
    where currency = ${currency} and state in ('mempool', 'absent')
    union all
    select encode(txid, 'hex'), state from transactions
    where currency = ${currency} and state = 'void' and absent_since > now() - interval '1 day'`;
}

/** Marks transactions that left the mempool as absent. Nothing visible changes: an eviction alone makes nothing void. */
export async function markAbsent(sql: AnySql, currency: Currency, txids: readonly string[]): Promise<void> {
  if (txids.length === 0) return;
  await sql`
    update transactions set state = 'absent', absent_since = now()
    where currency = ${currency} and state = 'mempool'
      and txid = any (array(select decode(t, 'hex') from unnest(${txids}::text[]) t))`;
}

/** Restores transactions that are in the mempool again. Returns the txids that were absent or void. */
export async function markReturned(
  tx: TransactionSql,
  currency: Currency,
  txids: readonly string[],
): Promise<string[]> {
  const rows = await tx<{ txid: string }[]>`
    update transactions set state = 'mempool', absent_since = null
    where currency = ${currency} and state in ('absent', 'void')
      and txid = any (array(select decode(t, 'hex') from unnest(${txids}::text[]) t))
    returning encode(txid, 'hex') as txid`;
  return rows.map((row) => row.txid);
}

/**
 * Makes transactions void that no mempool and no block has held for 14 days, in a bounded batch, and queues the invoices that
 * they paid. Those that were already void become void for good: their time of absence ends. Does nothing while the view is
 * stale, because unread transactions may exist. Returns their number.
 */
export async function voidLongAbsent(sql: AnySql, currency: Currency, limit: number): Promise<number> {
  const rows = await sql`
    with fresh as materialized (
      select 1 from chains
      where currency = ${currency} and stale_since is null
        and checked_at > now() - make_interval(secs => ${STALE_AFTER_SECONDS})
    ), absent as materialized (
      select txid from transactions
      where currency = ${currency} and state = 'absent' and absent_since < now() - interval '14 days'
        and exists (select from fresh)
      limit ${limit} for update skip locked
    ), void as materialized (
      select txid from transactions
      where currency = ${currency} and state = 'void' and absent_since < now() - interval '14 days'
        and exists (select from fresh)
      limit ${limit} for update skip locked
    ), lost as (
      update transactions set state = 'void', absent_since = null
      where currency = ${currency} and txid = any (array(select txid from absent union all select txid from void))
      returning txid
    ), queued as (
      insert into due_decisions (currency, invoice_id)
      select distinct ${currency}::text, p.invoice_id
      from lost join payments p on p.currency = ${currency} and p.txid = lost.txid
      where p.invoice_id is not null
      ${onConflictLockQueued(sql)}
    )
    select 1 from lost`;
  return rows.length;
}
