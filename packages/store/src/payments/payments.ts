import type { Currency } from '@paywatch/domain/values';
import type { AnySql, TransactionSql } from '../postgres/database.ts';

/** One lease of a script with its address, and how far the chain had been read when it started. */
export type ScriptLease = {
  scriptHex: string;
  poolId: bigint;
  addressIndex: number;
  invoiceId: bigint;
  leasedAtMs: number;
  releasedAtMs: number | null;
  readCounter: bigint | null;
  /** The tip at the start of the lease; if it was disconnected, its last ancestor on the best chain. */
  tipHeight: number | null;
};

/** A derived address of a pool. */
export type ScriptAddress = { scriptHex: string; poolId: bigint; addressIndex: number };

/** What an invoice that shares its script asks for; `dueAmount` by what is recorded, null for no amount. */
export type HolderTerms = { dueAmount: bigint | null; deadlineMs: number };

/** A recorded payment. `invoiceId` null: it belongs to no invoice. */
export type RecordedPayment = {
  id: bigint;
  txid: string;
  vout: number;
  scriptHex: string;
  invoiceId: bigint | null;
  amount: bigint;
  firstSeenMs: number;
};

/** An output that pays a derived script. */
export type NewPayment = {
  txid: string;
  vout: number;
  /** Null: no lease had started before the payment; `poolId` then names the pool. */
  invoiceId: bigint | null;
  poolId: bigint | null;
  scriptHex: string;
  amount: bigint;
  firstSeenMs: number;
  isPegOut: boolean;
  /** The recorded peg-out that was mined again in another HogEx as this payment; null for all others. */
  movedFrom: bigint | null;
};

/** Which of the scripts (lowercase hex) were ever derived or leased. One statement for a whole batch. */
export async function findDerivedScripts(
  sql: AnySql,
  currency: Currency,
  scripts: readonly string[],
): Promise<Set<string>> {
  if (scripts.length === 0) return new Set();
  const rows = await sql<{ script: string }[]>`
    with asked as materialized (select decode(hex, 'hex') as script from unnest(${scripts}::text[]) as s (hex))
    select encode(l.script, 'hex') as script
    from asked join address_leases l on l.script = asked.script and l.currency = ${currency}
    union
    select encode(a.script, 'hex')
    from asked join pool_addresses a on a.script = asked.script
    join pools p on p.id = a.pool_id and p.currency = ${currency}`;
  return new Set(rows.map((row) => row.script));
}

/**
 * Locks the derived addresses of these scripts that no invoice holds, until the transaction ends: none can be leased meanwhile,
 * and a lease in progress is waited for. Leases read afterwards are therefore complete. An address in use is not locked: its
 * lease ends under the lock of its invoice, which is taken first.
 */
export async function lockUnheldAddresses(
  tx: TransactionSql,
  currency: Currency,
  scripts: readonly string[],
): Promise<void> {
  if (scripts.length === 0) return;
  await tx`
    select 1 from pool_addresses a
    where a.script = any (array(select decode(s, 'hex') from unnest(${scripts}::text[]) s))
      and a.state not in ('leased', 'retired')
      and (select p.currency from pools p where p.id = a.pool_id) = ${currency}
    order by a.pool_id, a.address_index
    for update of a`;
}

/** The addresses of these scripts; if a key is registered twice, those of both pools. */
export async function loadScriptAddresses(
  tx: TransactionSql,
  currency: Currency,
  scripts: readonly string[],
): Promise<ScriptAddress[]> {
  if (scripts.length === 0) return [];
  return tx<ScriptAddress[]>`
    select encode(a.script, 'hex') as "scriptHex", a.pool_id as "poolId", a.address_index as "addressIndex"
    from pool_addresses a
    where a.script = any (array(select decode(s, 'hex') from unnest(${scripts}::text[]) s))
      and (select p.currency from pools p where p.id = a.pool_id) = ${currency}
    order by a.pool_id`;
}

/** Every lease of the scripts, for attribution. */
export async function loadScriptLeases(
  tx: TransactionSql,
  currency: Currency,
  scripts: readonly string[],
): Promise<ScriptLease[]> {
  if (scripts.length === 0) return [];
  const rows = await tx<(Omit<ScriptLease, 'leasedAtMs' | 'releasedAtMs'> & LeaseTimes)[]>`
    with recursive lease as materialized (
      select * from address_leases
      where currency = ${currency} and script = any (array(select decode(s, 'hex') from unnest(${scripts}::text[]) s))
    ), branch as (
      select t.tip_hash, d.height, d.previous_hash
      from (select distinct tip_hash from lease where tip_hash is not null) t
      join disconnected_blocks d on d.currency = ${currency} and d.hash = t.tip_hash
      union all
      select b.tip_hash, d.height, d.previous_hash
      from branch b join disconnected_blocks d on d.currency = ${currency} and d.hash = b.previous_hash
    ), fork as (
      select tip_hash, min(height) - 1 as height from branch group by tip_hash
    )
    select encode(l.script, 'hex') as "scriptHex", l.pool_id as "poolId", l.address_index as "addressIndex",
      l.invoice_id as "invoiceId", l.leased_at as "leasedAt", l.released_at as "releasedAt",
      l.read_counter as "readCounter", coalesce(f.height, l.tip_height) as "tipHeight"
    from lease l left join fork f on f.tip_hash = l.tip_hash`;
  return rows.map(({ leasedAt, releasedAt, ...lease }) => ({
    ...lease,
    leasedAtMs: leasedAt.getTime(),
    releasedAtMs: releasedAt?.getTime() ?? null,
  }));
}

type LeaseTimes = { leasedAt: Date; releasedAt: Date | null };

/**
 * Throws if the leases of the scripts differ from `known`: a lease started, or was deleted because nobody could know the
 * address. Payments attributed by `known` could belong to another invoice, or to none.
 */
export async function assertSameLeases(
  tx: TransactionSql,
  currency: Currency,
  scripts: readonly string[],
  known: readonly ScriptLease[],
): Promise<void> {
  if (scripts.length === 0) return;
  const rows = await tx<{ invoiceId: bigint }[]>`
    select invoice_id as "invoiceId" from address_leases
    where currency = ${currency} and script = any (array(select decode(s, 'hex') from unnest(${scripts}::text[]) s))`;
  const now = new Set(rows.map(({ invoiceId }) => invoiceId));
  if (now.size !== known.length || known.some(({ invoiceId }) => !now.has(invoiceId)))
    throw new Error('an address was leased, or its lease deleted, while its payment was recorded');
}

/**
 * The terms of these invoices by id; payments count unless they are void. A donation that ended before anybody saw its address
 * asks for nothing, because no payer can mean it.
 */
export async function loadHolderTerms(
  tx: TransactionSql,
  invoiceIds: readonly bigint[],
): Promise<Map<bigint, HolderTerms>> {
  if (invoiceIds.length === 0) return new Map();
  const rows = await tx<{ id: bigint; due: bigint | null; deadline_at: Date }[]>`
    select i.id, i.deadline_at, (
             case when i.shown_at is not null or i.status in ('new', 'pending') then i.expected_amount end - coalesce((
             select sum(p.amount) from payments p
             join transactions t on t.currency = p.currency and t.txid = p.txid
             where p.invoice_id = i.id and t.state <> 'void'), 0))::bigint as due
    from invoices i where i.id = any (${invoiceIds.map(String)}::bigint[])`;
  return new Map(rows.map((row) => [row.id, { dueAmount: row.due, deadlineMs: row.deadline_at.getTime() }]));
}

/** The recorded outputs of these transactions, in the order of recording. */
export async function loadRecordedPayments(
  tx: TransactionSql,
  currency: Currency,
  txids: readonly string[],
): Promise<RecordedPayment[]> {
  if (txids.length === 0) return [];
  const rows = await tx<RecordedRow[]>`
    select ${recordedColumns(tx)} from payments p
    where p.currency = ${currency} and p.txid = any (array(select decode(t, 'hex') from unnest(${txids}::text[]) t))
    order by p.id`;
  return rows.map(toRecorded);
}

/** Peg-outs to these scripts whose HogEx left the best chain, in the order of recording. */
export async function loadLostPegOuts(
  tx: TransactionSql,
  currency: Currency,
  scripts: readonly string[],
): Promise<RecordedPayment[]> {
  if (scripts.length === 0) return [];
  const rows = await tx<RecordedRow[]>`
    select ${recordedColumns(tx)}
    from payments p join transactions t on t.currency = p.currency and t.txid = p.txid
    where p.currency = ${currency} and p.peg_out and t.state in ('absent', 'void')
      and p.script = any (array(select decode(s, 'hex') from unnest(${scripts}::text[]) s))
    order by p.id`;
  return rows.map(toRecorded);
}

type RecordedRow = Omit<RecordedPayment, 'firstSeenMs'> & { firstSeenAt: Date };

function recordedColumns(tx: TransactionSql) {
  return tx`p.id, encode(p.txid, 'hex') as txid, p.vout, encode(p.script, 'hex') as "scriptHex",
    p.invoice_id as "invoiceId", p.amount, p.first_seen_at as "firstSeenAt"`;
}

function toRecorded({ firstSeenAt, ...payment }: RecordedRow): RecordedPayment {
  return { ...payment, firstSeenMs: firstSeenAt.getTime() };
}

/**
 * Writes payments. A known payment keeps its invoice, or keeps having none, and its first-seen time only moves back. A peg-out
 * that was mined again takes the outpoint of its new HogEx and keeps everything else. A payment without an invoice adds a line
 * to the audit log of the pool's owner.
 */
export async function upsertPayments(
  tx: TransactionSql,
  currency: Currency,
  payments: readonly NewPayment[],
): Promise<void> {
  if (payments.length === 0) return;
  const moved = payments.filter(({ movedFrom }) => movedFrom !== null);
  // Sent together; Postgres runs them one after another.
  await Promise.all([movePegOuts(tx, moved), insertPayments(tx, currency, payments)]);
}

async function insertPayments(
  tx: TransactionSql,
  currency: Currency,
  payments: readonly NewPayment[],
): Promise<void> {
  await tx`
    with written as (insert into payments (currency, txid, vout, invoice_id, pool_id, script, amount, first_seen_at, peg_out)
    select ${currency}, decode(txid, 'hex'), vout, invoice_id, pool_id, decode(script, 'hex'), amount,
           to_timestamp(first_seen_ms / 1000), peg_out::bool
    from unnest(${payments.map((p) => p.txid)}::text[], ${payments.map((p) => p.vout)}::int[],
                ${payments.map((p) => p.invoiceId?.toString() ?? null)}::bigint[],
                ${payments.map((p) => p.poolId?.toString() ?? null)}::bigint[], ${payments.map((p) => p.scriptHex)}::text[],
                ${payments.map((p) => String(p.amount))}::bigint[], ${payments.map((p) => p.firstSeenMs)}::float8[],
                ${payments.map((p) => String(p.isPegOut))}::text[])
      as paid (txid, vout, invoice_id, pool_id, script, amount, first_seen_ms, peg_out)
    on conflict (currency, txid, vout) do update
      set first_seen_at = least(payments.first_seen_at, excluded.first_seen_at)
    -- Only a row that was updated has an xmax.
    returning currency, txid, vout, amount, pool_id, invoice_id is null and xmax = 0 as is_newly_unassigned)
    insert into audit_log (project_id, action, detail)
    select o.owner_project_id, 'payment.unassigned', jsonb_build_object('actor', 'watcher', 'currency', w.currency,
      'outpoint', encode(w.txid, 'hex') || ':' || w.vout, 'amount', w.amount::text)
    from written w join pools o on o.id = w.pool_id
    where w.is_newly_unassigned and o.owner_project_id is not null`;
}

async function movePegOuts(tx: TransactionSql, moved: readonly NewPayment[]): Promise<void> {
  if (moved.length === 0) return;
  await tx`
    update payments set txid = decode(again.txid, 'hex'), vout = again.vout
    from unnest(${moved.map((p) => String(p.movedFrom))}::bigint[], ${moved.map((p) => p.txid)}::text[],
                ${moved.map((p) => p.vout)}::int[]) as again (id, txid, vout)
    where payments.id = again.id`;
}

/** The invoices that any of the transactions pays. */
export async function findPaidInvoices(
  tx: TransactionSql,
  currency: Currency,
  txids: readonly string[],
): Promise<bigint[]> {
  if (txids.length === 0) return [];
  const rows = await tx<{ invoice_id: bigint }[]>`
    select distinct invoice_id from payments
    where currency = ${currency} and txid = any (array(select decode(t, 'hex') from unnest(${txids}::text[]) t))
      and invoice_id is not null`;
  return rows.map((row) => row.invoice_id);
}
