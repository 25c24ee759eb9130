import type { AnySql, TransactionSql } from '../postgres/database.ts';
import { inTransaction } from '../postgres/database.ts';
import type { Store } from '../store.ts';

type Currency = 'BTC' | 'LTC';

/** A run that derives outcomes again from the blocks of a chain. */
export type Reconciliation = {
  id: bigint;
  currency: Currency;
  /** Outcomes since then are compared, and all open invoices. */
  since: Date;
  /** First and last block, and the first that is not read yet; null until a watcher has begun. */
  range: { from: number; to: number; next: number } | null;
  /** Hash of the block below `next`; null at the beginning, and behind a gap. */
  lastHash: string | null;
  /** From where on every block up to `next` is read, and since when, by the miners' clocks; null behind a gap. */
  read: { from: number; fromTime: Date } | null;
  /** Names of the sources that were read. */
  sources: readonly string[];
  /** How many invoices it compares, and how many it has. */
  invoices: number;
  compared: number;
  differences: number;
  unverifiable: number;
  /** Why the last try failed; after the end, why it could not be finished. */
  fault: string | null;
  isEnded: boolean;
};

/** What every scheduled run compares: outcomes of so many days. */
const RECONCILED_DAYS = 30;

/** Asks for a run now. `since` null: outcomes of 30 days. Answers its id. */
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
  if (!row) throw new Error('an insert answers its row');
  return row.id;
}

/**
 * Makes sure that the next run of a followed chain is scheduled, so many hours after the last scheduled one: the first at a
 * random moment within that time, so that deployments do not all read their sources at once. Safe in any number of watchers.
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

/** Null for an id that no run has. */
export async function loadReconciliation(sql: AnySql, id: bigint): Promise<Reconciliation | null> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from reconciliations where id = ${id}`;
  return row ? toReconciliation(row) : null;
}

/**
 * Takes the due run of a chain that was to begin first, for so many seconds. Null where there is none, or where another watcher
 * works at one: one at a time, since each of them keeps its source busy.
 */
export async function takeReconciliation(
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

/** Writing down what a run compares takes longer than other statements where there are many invoices. */
const STAGING_TIMEOUT = '10min';

/**
 * Writes down the invoices that the run compares. Answers how many they are and when the first of their leases began. Doing it
 * again changes nothing.
 */
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

/** Notes which blocks a run reads: all that were mined since `fromTime`, up to the one at `to`. The first answer stands. */
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

/** Notes that the block, which is the next one of the run, is read. False where another watcher was faster. */
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

/** Notes that no source has the blocks below `height`: outcomes that depend on them cannot be verified. */
export async function skipUnreadableBlocks(sql: AnySql, id: bigint, height: number): Promise<void> {
  await sql`
    update reconciliations set next_height = ${height}, last_hash = null, read_from = null, read_from_time = null
    where id = ${id} and next_height < ${height}`;
}

/** Has a run read on up to the block at `to`, where our tip is now. */
export async function extendReconciliation(sql: AnySql, id: bigint, to: number): Promise<void> {
  await sql`update reconciliations set to_height = ${to} where id = ${id} and ended_at is null`;
}

/** Forgets the blocks from `next` on, which a reorganisation may have taken off the best chain, and reads up to `to`. */
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

/** Lets other watchers go on with the run. */
export async function releaseReconciliation(sql: AnySql, id: bigint): Promise<void> {
  await sql`update reconciliations set claimed_until = null where id = ${id}`;
}

/** Notes why a batch failed: it is tried again once its claim has run out. */
export async function failReconciliation(sql: AnySql, id: bigint, fault: string): Promise<void> {
  await sql`update reconciliations set fault = ${fault} where id = ${id} and ended_at is null`;
}

/** Runs of a chain whose differences are kept, and runs that are kept at all. */
const KEPT_RESULTS = 10;
const KEPT_RUNS = 100;

/** Ends a run that has compared all, and deletes the results of the oldest ones. */
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

/** Deletes up to `limit` outputs that ended runs have read. Answers how many there were. */
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
