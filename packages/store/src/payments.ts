import type { AnySql, TransactionSql } from './database.ts';

type Currency = 'BTC' | 'LTC';

/** One hold on a script, with what its invoice still asks for. */
export type ScriptLease = {
  scriptHex: string;
  invoiceId: bigint;
  leasedAtMs: number;
  releasedAtMs: number | null;
  dueAmount: bigint | null;
};

/** An output that belongs to an invoice. */
export type NewPayment = {
  txid: string;
  vout: number;
  invoiceId: bigint;
  scriptHex: string;
  amount: bigint;
  firstSeenMs: number;
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
  const rows = await tx<
    { script: string; invoice_id: bigint; leased_at: Date; released_at: Date | null; due: bigint | null }[]
  >`
    select encode(l.script, 'hex') as script, l.invoice_id, l.leased_at, l.released_at,
           (i.expected_amount - coalesce((
             select sum(p.amount) from payments p
             join transactions t on t.currency = p.currency and t.txid = p.txid
             where p.invoice_id = i.id and t.state <> 'void'), 0))::bigint as due
    from address_leases l join invoices i on i.id = l.invoice_id
    where l.currency = ${currency} and l.script = any (array(select decode(s, 'hex') from unnest(${scripts}::text[]) s))`;
  return rows.map((row) => ({
    scriptHex: row.script,
    invoiceId: row.invoice_id,
    leasedAtMs: row.leased_at.getTime(),
    releasedAtMs: row.released_at?.getTime() ?? null,
    dueAmount: row.due,
  }));
}

/** What recorded transactions that share an input with these paid, for each pair and invoice. */
export async function loadRivalPayments(
  tx: TransactionSql,
  currency: Currency,
  txids: readonly string[],
): Promise<RivalPayment[]> {
  const rows = await tx<
    { txid: string; rival_of: string; invoice_id: bigint; amount: bigint; first_seen_at: Date }[]
  >`
    with pairs as (
      select distinct mine.txid as mine, theirs.txid as theirs
      from unnest(${txids}::text[]) as seen (txid)
      join transaction_inputs mine on mine.currency = ${currency} and mine.txid = decode(seen.txid, 'hex')
      join transaction_inputs theirs on theirs.currency = ${currency}
        and theirs.spent_txid = mine.spent_txid and theirs.spent_vout = mine.spent_vout and theirs.txid <> mine.txid
    )
    select encode(pairs.theirs, 'hex') as txid, encode(pairs.mine, 'hex') as rival_of, p.invoice_id,
           sum(p.amount)::bigint as amount, min(p.first_seen_at) as first_seen_at
    from pairs join payments p on p.currency = ${currency} and p.txid = pairs.theirs
    group by 1, 2, 3`;
  return rows.map((row) => ({
    txid: row.txid,
    rivalOf: row.rival_of,
    invoiceId: row.invoice_id,
    amount: row.amount,
    firstSeenMs: row.first_seen_at.getTime(),
  }));
}

/** Writes payments; one that is known keeps its invoice, and its first-seen time only moves back. */
export async function upsertPayments(
  tx: TransactionSql,
  currency: Currency,
  payments: readonly NewPayment[],
): Promise<void> {
  if (payments.length === 0) return;
  await tx`
    insert into payments (currency, txid, vout, invoice_id, script, amount, first_seen_at)
    select ${currency}, decode(txid, 'hex'), vout, invoice_id, decode(script, 'hex'), amount,
           to_timestamp(first_seen_ms / 1000)
    from unnest(${payments.map((p) => p.txid)}::text[], ${payments.map((p) => p.vout)}::int[],
                ${payments.map((p) => String(p.invoiceId))}::bigint[], ${payments.map((p) => p.scriptHex)}::text[],
                ${payments.map((p) => String(p.amount))}::bigint[], ${payments.map((p) => p.firstSeenMs)}::float8[])
      as paid (txid, vout, invoice_id, script, amount, first_seen_ms)
    on conflict (currency, txid, vout) do update
      set first_seen_at = least(payments.first_seen_at, excluded.first_seen_at)`;
}

/** The invoices that any of the transactions pays. */
export async function findPaidInvoices(
  tx: TransactionSql,
  currency: Currency,
  txids: readonly string[],
): Promise<bigint[]> {
  const rows = await tx<{ invoice_id: bigint }[]>`
    select distinct invoice_id from payments
    where currency = ${currency} and txid = any (array(select decode(t, 'hex') from unnest(${txids}::text[]) t))`;
  return rows.map((row) => row.invoice_id);
}
