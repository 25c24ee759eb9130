import type { Currency } from '@paywatch/domain/values';
import type { AnySql, TransactionSql } from '../postgres/database.ts';

/** The block or time from which an operator wants the chain to be read again. */
export type RescanBeginning = { height: number } | { time: Date };

/** The progress of a rescan. */
export type Rescan = {
  id: bigint;
  currency: Currency;
  beginning: RescanBeginning;
  /** First and last block, and the next one to read; null until a watcher has started. */
  range: { from: number; to: number; next: number } | null;
  /** Relevant transactions found, including known ones. */
  matched: number;
  /** Why the last try failed; after the end, why the rescan could not be completed. */
  fault: string | null;
  isEnded: boolean;
};

/** Requests a rescan from there to the newest pending block. Returns its id. */
export async function requestRescan(sql: AnySql, currency: Currency, from: RescanBeginning): Promise<bigint> {
  const height = 'height' in from ? from.height : null;
  const time = 'time' in from ? from.time : null;
  const [row] = await sql<{ id: bigint }[]>`
    insert into chain_rescans (currency, from_height, from_time)
    values (${currency}, ${height}::int, ${time}::timestamptz) returning id`;
  if (!row) throw new Error(`rescan of ${currency} was not inserted`);
  return row.id;
}

/** Null if there is no rescan with this id. */
export async function loadRescan(sql: AnySql, id: bigint): Promise<Rescan | null> {
  const [row] = await sql<RescanRow[]>`select ${columns(sql)} from chain_rescans where id = ${id}`;
  return row ? toRescan(row) : null;
}

/** The latest requested rescan of a chain; null if there is none. */
export async function findNewestRescan(sql: AnySql, currency: Currency): Promise<bigint | null> {
  const [row] = await sql<{ id: bigint | null }[]>`
    select max(id) as id from chain_rescans where currency = ${currency}`;
  return row?.id ?? null;
}

/** Claims the oldest unclaimed rescan of a chain for this many seconds. Null if there is none. */
export async function claimRescan(sql: AnySql, currency: Currency, seconds: number): Promise<Rescan | null> {
  const [row] = await sql<RescanRow[]>`
    update chain_rescans set claimed_until = now() + make_interval(secs => ${seconds})
    where id = (
      select id from chain_rescans
      where currency = ${currency} and ended_at is null and (claimed_until is null or claimed_until < now())
      order by id limit 1 for update skip locked)
    returning ${columns(sql)}`;
  return row ? toRescan(row) : null;
}

/** Stores the range of a rescan once its first block is known. Later calls change nothing. */
export async function beginRescan(
  sql: AnySql,
  id: bigint,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await sql`
    update chain_rescans set from_height = ${from}, next_height = ${from}, to_height = ${to}
    where id = ${id} and next_height is null`;
}

/**
 * Stores that every block below `next` is read, extends the claim by `seconds`, and ends the rescan after its last block. Only
 * moves forward: two watchers on one rescan read some blocks twice and skip none.
 */
export async function advanceRescan(
  sql: AnySql,
  id: bigint,
  { next, matched, seconds }: { next: number; matched: number; seconds: number },
): Promise<void> {
  await sql`
    update chain_rescans set next_height = greatest(next_height, ${next}), matched = matched + ${matched}, fault = null,
      claimed_until = now() + make_interval(secs => ${seconds}),
      ended_at = case when ${next} > to_height then now() end
    where id = ${id} and ended_at is null`;
}

/** Stores why a batch failed. `isFinal` ends the rescan because a retry would not help. */
export async function failRescan(
  sql: AnySql,
  id: bigint,
  { fault, isFinal }: { fault: string; isFinal: boolean },
): Promise<void> {
  await sql`
    update chain_rescans set fault = ${fault}, ended_at = case when ${isFinal} then now() end
    where id = ${id} and ended_at is null`;
}

/**
 * Whether a block that is read again may be recorded: it is one of our followed blocks, or lies below all of them, where only
 * rescans read. Blocks its disconnection until the transaction ends.
 */
export async function lockRescannedBlock(
  tx: TransactionSql,
  currency: Currency,
  block: { height: number; hash: string },
): Promise<boolean> {
  const [row] = await tx<{ is_ours: boolean }[]>`
    select coalesce(
      (select hash = decode(${block.hash}, 'hex') from chain_blocks
       where currency = ${currency} and height = ${block.height}),
      ${block.height} < (select min(height) from chain_blocks where currency = ${currency})) as is_ours`;
  return row?.is_ours ?? false;
}

type RescanRow = {
  id: bigint;
  currency: Currency;
  from_height: number | null;
  from_time: Date | null;
  to_height: number | null;
  next_height: number | null;
  matched: number;
  fault: string | null;
  is_ended: boolean;
};

function columns(sql: AnySql) {
  return sql`id, currency, from_height, from_time, to_height, next_height, matched, fault,
    ended_at is not null as is_ended`;
}

function toRescan(row: RescanRow): Rescan {
  const { from_height: from, to_height: to, next_height: next, from_time: time } = row;
  return {
    id: row.id,
    currency: row.currency,
    beginning: time === null ? { height: from ?? 0 } : { time },
    range: from === null || to === null || next === null ? null : { from, to, next },
    matched: row.matched,
    fault: row.fault,
    isEnded: row.is_ended,
  };
}
