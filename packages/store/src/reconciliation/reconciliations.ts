import type { Currency } from '@paywatch/domain/values';
import type { AnySql, TransactionSql } from '../postgres/database.ts';
import { inTransaction } from '../postgres/database.ts';
import type { Store } from '../store.ts';

/** A run that derives outcomes again from the blocks of a chain. */
export type Reconciliation = {
  id: bigint;
  currency: Currency;
  /** Compares outcomes since this time and all open invoices. */
  since: Date;
  /** First and last block, and the next one to read; null until a watcher has started. */
  range: { from: number; to: number; next: number } | null;
  /** Hash of the block below `next`; null at the start and after a gap. */
  lastHash: string | null;
  /** From this height on, every block up to `next` is read; `fromTime` is the same by the miners' clocks. Null after a gap. */
  read: { from: number; fromTime: Date } | null;
  /** Names of the sources that were read. */
  sources: readonly string[];
  /** How many invoices it compares, and how many are done. */
  invoices: number;
  compared: number;
  differences: number;
  unverifiable: number;
  /** Why the last try failed; after the end, why the run could not be completed. */
  fault: string | null;
  isEnded: boolean;
};

/** Every scheduled run compares the outcomes of this many days. */
const RECONCILED_DAYS = 30;

/** Requests a run now. `since` null: outcomes of 30 days. Returns its id. */
export async function requestReconciliation(
  sql: AnySql,
  currency: Currency,
  since: Date | null,
): Promise<bigint> {
  const [row] = await sql<{ id: bigint }[]>`
    insert into reconciliations (currency, since, is_full, is_requested)
    select ${currency}, since, since <= now() - make_interval(days => ${RECONCILED_DAYS}), true
    from (select coalesce(${since}::timestamptz, now() - make_interval(days => ${RECONCILED_DAYS})) as since) s
    returning id`;
  if (!row) throw new Error(`reconciliation of ${currency} was not inserted`);
  return row.id;
}

/**
 * Schedules the next run of a followed chain, this many hours after the last scheduled one. The first run starts at a random
 * time within that period, so that deployments do not read their sources all at once. Safe in any number of watchers.
 */
export async function scheduleReconciliation(sql: AnySql, currency: Currency, hours: number): Promise<void> {
  await sql`
    insert into reconciliations (currency, since, is_full, is_requested, due_at)
    select c.currency, due - make_interval(days => ${RECONCILED_DAYS}), true, false, due
    from chains c, lateral (
      select coalesce(
        greatest(now(), max(due_at) + make_interval(hours => ${hours})),
        now() + random() * make_interval(hours => ${hours})) as due
      from reconciliations where currency = c.currency and not is_requested
    ) next
    where c.currency = ${currency}
    on conflict do nothing`;
}

/** Null if there is no run with this id. */
export async function loadReconciliation(sql: AnySql, id: bigint): Promise<Reconciliation | null> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from reconciliations where id = ${id}`;
  return row ? toReconciliation(row) : null;
}

/**
 * Claims the earliest due run of a chain for this many seconds. Null if there is none, or if another watcher works on one: only
 * one runs at a time, because each keeps its source busy.
 */
export async function claimReconciliation(
  sql: AnySql,
  currency: Currency,
  seconds: number,
): Promise<Reconciliation | null> {
  const [row] = await sql<Row[]>`
    update reconciliations set claimed_until = now() + make_interval(secs => ${seconds})
    where id = (
      select id from reconciliations r
      where currency = ${currency} and ended_at is null and due_at <= now() and not exists (
        select from reconciliations busy
        where busy.currency = r.currency and busy.ended_at is null and busy.claimed_until > now())
      order by due_at, id limit 1 for update skip locked)
    returning ${columns(sql)}`;
  return row ? toReconciliation(row) : null;
}

/** Storing the list of invoices takes longer than other statements if there are many. */
const STAGING_TIMEOUT = '10min';

/** Stores which invoices the run compares. Returns their number and the start of their earliest lease. Safe to repeat. */
export async function stageInvoices(
  store: Store,
  { id, currency, since }: Reconciliation,
): Promise<{ count: number; earliestLease: Date | null }> {
  return inTransaction(store, async (tx) => {
    await tx`select set_config('statement_timeout', ${STAGING_TIMEOUT}, true)`;
    await tx`
      insert into reconciliation_invoices (reconciliation_id, invoice_id)
      select ${id}, i.id from invoices i
      where i.currency = ${currency} and coalesce(i.outcome_at, 'infinity'::timestamptz) >= ${since}
      on conflict do nothing`;
    const [row] = await tx<{ count: number; earliest: Date | null }[]>`
      select count(*)::int as count, min(l.leased_at) as earliest
      from reconciliation_invoices r left join address_leases l on l.invoice_id = r.invoice_id
      where r.reconciliation_id = ${id}`;
    return { count: row?.count ?? 0, earliestLease: row?.earliest ?? null };
  });
}

/** Stores which blocks a run reads: all that were mined since `fromTime`, up to height `to`. Later calls change nothing. */
export async function beginReconciliation(
  sql: AnySql,
  id: bigint,
  { from, fromTime, to, invoices }: { from: number; fromTime: Date; to: number; invoices: number },
): Promise<void> {
  await sql`
    update reconciliations set from_height = ${from}, next_height = ${from}, to_height = ${to}, invoices = ${invoices},
      read_from = ${from}, read_from_time = ${fromTime}
    where id = ${id} and next_height is null`;
}

/** A block that a run has read. */
export type ReconciledBlock = { height: number; hash: string; timeMs: number; source: string };

/** Records that the run has read its next block. Returns false if another watcher was faster. */
export async function markBlockReconciled(
  tx: TransactionSql,
  id: bigint,
  { height, hash, timeMs, source }: ReconciledBlock,
): Promise<boolean> {
  const rows = await tx`
    update reconciliations set next_height = ${height + 1}, last_hash = decode(${hash}, 'hex'), fault = null,
      read_from = coalesce(read_from, ${height}), read_from_time = coalesce(read_from_time, ${new Date(timeMs)}),
      sources = case when ${source} = any (string_to_array(sources, ',')) then sources
                     else concat_ws(',', nullif(sources, ''), ${source}::text) end
    where id = ${id} and next_height = ${height} and ended_at is null
    returning 1`;
  return rows.length > 0;
}

/** Stores that no source has the blocks below `height`: outcomes that depend on them cannot be verified. */
export async function skipUnreadableBlocks(sql: AnySql, id: bigint, height: number): Promise<void> {
  await sql`
    update reconciliations set next_height = ${height}, last_hash = null, read_from = null, read_from_time = null
    where id = ${id} and next_height < ${height}`;
}

/** Extends a run to the block at `to`, our new tip. */
export async function extendReconciliation(sql: AnySql, id: bigint, to: number): Promise<void> {
  await sql`update reconciliations set to_height = ${to} where id = ${id} and ended_at is null`;
}

/** Discards the blocks from `next` on, which a reorganisation may have disconnected, and reads up to `to`. */
export async function rewindReconciliation(
  store: Store,
  id: bigint,
  { next, to }: { next: number; to: number },
): Promise<void> {
  await inTransaction(store, async (tx) => {
    await tx`delete from reconciliation_outputs where reconciliation_id = ${id} and height >= ${next}`;
    await tx`
      update reconciliations set next_height = greatest(from_height, ${next}), to_height = ${to}, last_hash = null,
        read_from_time = case when read_from <= greatest(from_height, ${next}) then read_from_time end,
        read_from = case when read_from <= greatest(from_height, ${next}) then read_from end
      where id = ${id}`;
  });
}

/** Releases the claim, so that any watcher can continue the run. */
export async function releaseReconciliation(sql: AnySql, id: bigint): Promise<void> {
  await sql`update reconciliations set claimed_until = null where id = ${id}`;
}

/** Stores why a batch failed. It is retried when its claim expires. */
export async function failReconciliation(sql: AnySql, id: bigint, fault: string): Promise<void> {
  await sql`update reconciliations set fault = ${fault} where id = ${id} and ended_at is null`;
}

/** Runs of a chain whose differences are kept, and runs that are kept at all. */
const KEPT_RESULTS = 10;
const KEPT_RUNS = 100;

/** Ends a run that has compared everything, and deletes the results of the oldest runs. */
export async function endReconciliation(store: Store, { id, currency }: Reconciliation): Promise<void> {
  await inTransaction(store, async (tx) => {
    await tx`
      update reconciliations set ended_at = now(), claimed_until = null, fault = null
      where id = ${id} and ended_at is null`;
    const kept = (count: number) => tx`
      (select id from reconciliations where currency = ${currency} order by id desc limit ${count})`;
    await tx`
      delete from reconciliation_differences
      where currency = ${currency} and reconciliation_id not in ${kept(KEPT_RESULTS)}`;
    await tx`
      delete from reconciliations
      where currency = ${currency} and ended_at is not null and id not in ${kept(KEPT_RUNS)}`;
  });
}

/** Deletes up to `limit` outputs that ended runs have read. Returns their number. */
export async function deleteReconciledOutputs({ sql }: { sql: AnySql }, limit: number): Promise<number> {
  const rows = await sql`
    delete from reconciliation_outputs o
    where (o.reconciliation_id, o.txid, o.vout) in (
      select e.reconciliation_id, e.txid, e.vout from reconciliation_outputs e
      where not exists (select from reconciliations r where r.id = e.reconciliation_id and r.ended_at is null)
      limit ${limit})
    returning 1`;
  return rows.length;
}

type Row = {
  id: bigint;
  currency: Currency;
  since: Date;
  from_height: number | null;
  to_height: number | null;
  next_height: number | null;
  last_hash: string | null;
  read_from: number | null;
  read_from_time: Date | null;
  sources: string;
  invoices: number;
  compared: number;
  differences: number;
  unverifiable: number;
  fault: string | null;
  is_ended: boolean;
};

function columns(sql: AnySql) {
  return sql`id, currency, since, from_height, to_height, next_height, encode(last_hash, 'hex') as last_hash, read_from,
    read_from_time, sources, invoices, compared, differences, unverifiable, fault, ended_at is not null as is_ended`;
}

function toReconciliation(row: Row): Reconciliation {
  const { from_height: from, to_height: to, next_height: next } = row;
  const { read_from: readFrom, read_from_time: fromTime } = row;
  return {
    id: row.id,
    currency: row.currency,
    since: row.since,
    range: from === null || to === null || next === null ? null : { from, to, next },
    lastHash: row.last_hash,
    read: readFrom === null || fromTime === null ? null : { from: readFrom, fromTime },
    sources: row.sources === '' ? [] : row.sources.split(','),
    invoices: row.invoices,
    compared: row.compared,
    differences: row.differences,
    unverifiable: row.unverifiable,
    fault: row.fault,
    isEnded: row.is_ended,
  };
}
