import type { AnySql, TransactionSql } from './database.ts';

type Currency = 'BTC' | 'LTC';

/** One hold on a script, with its address in the pool. */
export type ScriptLease = {
  scriptHex: string;
  poolId: bigint;
  addressIndex: number;
  invoiceId: bigint;
  leasedAtMs: number;
  releasedAtMs: number | null;
};

/** An output that belongs to an invoice. */
export type NewPayment = {
  txid: string;
  vout: number;
  invoiceId: bigint;
  scriptHex: string;
  amount: bigint;
  firstSeenMs: number;
  isPegOut: boolean;
};

/** What a conflicting transaction paid an invoice. */
export type RivalPayment = {
  txid: string;
  rivalOf: string;
  invoiceId: bigint;
  amount: bigint;
  firstSeenMs: number;
};

/** Which of the scripts (lowercase hex) were ever leased. One statement for a whole batch. */
export async function findLeasedScripts(
  sql: AnySql,
  currency: Currency,
  scripts: readonly string[],
): Promise<Set<string>> {
  if (scripts.length === 0) return new Set();
  const rows = await sql<{ script: string }[]>`
    select distinct encode(l.script, 'hex') as script
    from unnest(${scripts}::text[]) as s (hex)
    join address_leases l on l.script = decode(s.hex, 'hex') and l.currency = ${currency}`;
  return new Set(rows.map((row) => row.script));
}

/** Every lease of the scripts, for attribution. */
export async function loadScriptLeases(
  tx: TransactionSql,
  currency: Currency,
  scripts: readonly string[],
): Promise<ScriptLease[]> {
  if (scripts.length === 0) return [];
  const rows = await tx<
    {
      script: string;
      pool_id: bigint;
      address_index: number;
      invoice_id: bigint;
      leased_at: Date;
      released_at: Date | null;
    }[]
  >`
    select encode(script, 'hex') as script, pool_id, address_index, invoice_id, leased_at, released_at
    from address_leases
    where currency = ${currency} and script = any (array(select decode(s, 'hex') from unnest(${scripts}::text[]) s))`;
  return rows.map((row) => ({
    scriptHex: row.script,
    poolId: row.pool_id,
    addressIndex: row.address_index,
    invoiceId: row.invoice_id,
    leasedAtMs: row.leased_at.getTime(),
    releasedAtMs: row.released_at?.getTime() ?? null,
  }));
}

/** What each of the invoices still asks for by what is recorded, in minimal units; none for those that ask for no amount. */
export async function loadDueAmounts(
  tx: TransactionSql,
  invoiceIds: readonly bigint[],
): Promise<Map<bigint, bigint>> {
  if (invoiceIds.length === 0) return new Map();
  const rows = await tx<{ id: bigint; due: bigint }[]>`
    select i.id, (i.expected_amount - coalesce((
             select sum(p.amount) from payments p
             join transactions t on t.currency = p.currency and t.txid = p.txid
             where p.invoice_id = i.id and t.state <> 'void'), 0))::bigint as due
    from invoices i where i.id = any (${invoiceIds.map(String)}::bigint[]) and i.expected_amount is not null`;
  return new Map(rows.map((row) => [row.id, row.due]));
}

/** What the other one (`theirs`) of each pair of conflicting transactions paid, for each invoice. */
export async function loadRivalPayments(
  tx: TransactionSql,
  currency: Currency,
  pairs: readonly { mine: string; theirs: string }[],
): Promise<RivalPayment[]> {
  if (pairs.length === 0) return [];
  const rows = await tx<
    { txid: string; rival_of: string; invoice_id: bigint; amount: bigint; first_seen_at: Date }[]
  >`
    select pair.theirs as txid, pair.mine as rival_of, p.invoice_id,
           sum(p.amount)::bigint as amount, min(p.first_seen_at) as first_seen_at
    from unnest(${pairs.map((p) => p.mine)}::text[], ${pairs.map((p) => p.theirs)}::text[]) as pair (mine, theirs)
    join payments p on p.currency = ${currency} and p.txid = decode(pair.theirs, 'hex')
    group by 1, 2, 3`;
  return rows.map((row) => ({
    txid: row.txid,
    rivalOf: row.rival_of,
    invoiceId: row.invoice_id,
    amount: row.amount,
    firstSeenMs: row.first_seen_at.getTime(),
  }));
}

/**
 * Writes payments; one that is known keeps its invoice, and its first-seen time only moves back.
 */
export async function upsertPayments(
  tx: TransactionSql,
  currency: Currency,
  payments: readonly NewPayment[],
): Promise<void> {
  if (payments.length === 0) return;
  const pegOuts = payments.filter(({ isPegOut }) => isPegOut);
  // Sent together, run one after the other.
  await Promise.all([movePegOuts(tx, currency, pegOuts), insertPayments(tx, currency, payments)]);
}

async function insertPayments(
  tx: TransactionSql,
  currency: Currency,
  payments: readonly NewPayment[],
): Promise<void> {
  await tx`
    insert into payments (currency, txid, vout, invoice_id, script, amount, first_seen_at, peg_out)
    select ${currency}, decode(txid, 'hex'), vout, invoice_id, decode(script, 'hex'), amount,
           to_timestamp(first_seen_ms / 1000), peg_out::bool
    from unnest(${payments.map((p) => p.txid)}::text[], ${payments.map((p) => p.vout)}::int[],
                ${payments.map((p) => String(p.invoiceId))}::bigint[], ${payments.map((p) => p.scriptHex)}::text[],
                ${payments.map((p) => String(p.amount))}::bigint[], ${payments.map((p) => p.firstSeenMs)}::float8[],
                ${payments.map((p) => String(p.isPegOut))}::text[])
      as paid (txid, vout, invoice_id, script, amount, first_seen_ms, peg_out)
    on conflict (currency, txid, vout) do update
      set first_seen_at = least(payments.first_seen_at, excluded.first_seen_at)`;
}

/**
 * A peg-out that a reorganisation has mined again stands in another HogEx, under another outpoint: known by invoice and
 * amount, it is the payment whose HogEx left the best chain, and keeps what was known and told of that one.
 */
async function movePegOuts(
  tx: TransactionSql,
  currency: Currency,
  pegOuts: readonly NewPayment[],
): Promise<void> {
  if (pegOuts.length === 0) return;
  const invoiceIds = pegOuts.map(({ invoiceId }) => String(invoiceId));
  await tx`
    with again as (
      select decode(paid.txid, 'hex') as txid, paid.vout, invoice_id, amount,
             row_number() over (partition by invoice_id, amount order by paid.txid, paid.vout) as nth
      from unnest(${pegOuts.map((p) => p.txid)}::text[], ${pegOuts.map((p) => p.vout)}::int[],
                  ${invoiceIds}::bigint[], ${pegOuts.map((p) => String(p.amount))}::bigint[])
        as paid (txid, vout, invoice_id, amount)
      where not exists (
        select from payments known
        where known.currency = ${currency} and known.txid = decode(paid.txid, 'hex') and known.vout = paid.vout)
    ), gone as (
      select p.id, p.invoice_id, p.amount, row_number() over (partition by p.invoice_id, p.amount order by p.id) as nth
      from payments p join transactions t on t.currency = p.currency and t.txid = p.txid
      where p.invoice_id = any (${invoiceIds}::bigint[]) and p.currency = ${currency} and p.peg_out
        and t.state in ('absent', 'void')
    )
    update payments set txid = again.txid, vout = again.vout
    from again join gone using (invoice_id, amount, nth) where payments.id = gone.id`;
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
    where currency = ${currency} and txid = any (array(select decode(t, 'hex') from unnest(${txids}::text[]) t))`;
  return rows.map((row) => row.invoice_id);
}
