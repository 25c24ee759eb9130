import type { InvoiceStatus } from '@paywatch/domain/contract';
import type { ChainOutput, InvoiceTerms, ReconciledLease, RecordedOutput } from '@paywatch/domain/invoices';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql, TransactionSql } from '../postgres/database.ts';
import { STALE_AFTER_SECONDS } from '../invoices/invoice-snapshots.ts';
import { hasRival } from '../payments/descendants.ts';

/*
 * What a reconciliation compares. These statements match outputs with scripts and invoices by themselves: they must not share a
 * fault with the filter and the statements that record payments.
 */

/** An output of a block. */
export type ReadOutput = { txid: string; vout: number; scriptHex: string; amount: bigint };

/**
 * Stores the outputs of a block that pay a script that was ever leased. The lease of a donation that nobody saw is deleted, so
 * the addresses of the pools are checked, too: a later payment to it is recorded without an invoice.
 */
export async function stageOutputs(
  tx: TransactionSql,
  { id, currency }: { id: bigint; currency: Currency },
  block: { height: number; timeMs: number },
  outputs: readonly ReadOutput[],
): Promise<void> {
  await tx`
    insert into reconciliation_outputs (reconciliation_id, txid, vout, script, amount, height, block_time)
    select ${id}, decode(o.txid, 'hex'), o.vout, o.script, o.amount, ${block.height}, ${new Date(block.timeMs)}
    from (
      select txid, vout, decode(script, 'hex') as script, amount
      from unnest(${outputs.map(({ txid }) => txid)}::text[], ${outputs.map(({ vout }) => vout)}::int[],
                  ${outputs.map(({ scriptHex }) => scriptHex)}::text[],
                  ${outputs.map(({ amount }) => String(amount))}::bigint[]) as read (txid, vout, script, amount)
    ) o
    -- offset 0: one index lookup for each output, never a hash of the whole table.
    where exists (select from address_leases l where l.script = o.script and l.currency = ${currency} offset 0)
      or exists (
        select from pool_addresses a join pools p on p.id = a.pool_id
        where a.script = o.script and a.lease_count > 0 and p.currency = ${currency} offset 0)
    on conflict do nothing`;
}

/** The chain as the recorded outcomes know it. Times in epoch milliseconds. */
export type ReconciledView = {
  tip: { height: number; hash: string };
  nowMs: number;
  /** Deadlines up to this time may have been decided; null while nothing expires. */
  judgedUntilMs: number | null;
};

/** Null if the chain is not followed. */
export async function loadReconciledView(sql: AnySql, currency: Currency): Promise<ReconciledView | null> {
  const [row] = await sql<{ height: number; hash: string; now: Date; judged: Date | null }[]>`
    select tip_height as height, encode(tip_hash, 'hex') as hash, now() as now,
      case when stale_since is null and checked_at > now() - make_interval(secs => ${STALE_AFTER_SECONDS})
           then mempool_read_at end as judged
    from chains where currency = ${currency}`;
  if (!row) return null;
  const { height, hash, now, judged } = row;
  return { tip: { height, hash }, nowMs: now.getTime(), judgedUntilMs: judged?.getTime() ?? null };
}

/** The next invoices that the run has to compare, oldest first. */
export async function listStagedInvoices(sql: AnySql, id: bigint, limit: number): Promise<bigint[]> {
  const rows = await sql<{ id: bigint }[]>`
    select invoice_id as id from reconciliation_invoices
    where reconciliation_id = ${id} order by invoice_id limit ${limit}`;
  return rows.map((row) => row.id);
}

/** An invoice with everything that is recorded and was read about its script. */
export type StoredCase = {
  id: bigint;
  publicId: string;
  status: InvoiceStatus;
  scriptHex: string;
  terms: Omit<InvoiceTerms, 'toleranceBps'>;
  leases: ReconciledLease[];
  chain: ChainOutput[];
  recorded: RecordedOutput[];
};

/**
 * Loads the cases of these invoices. Run it in one repeatable-read transaction with the view, so that nothing is recorded in
 * between.
 */
export async function loadReconciliationCases(
  tx: TransactionSql,
  run: { id: bigint; currency: Currency },
  ids: readonly bigint[],
): Promise<StoredCase[]> {
  const invoices = await loadInvoices(tx, ids);
  const scripts = [...new Set(invoices.map(({ scriptHex }) => scriptHex))];
  const leases = await loadLeases(tx, run.currency, scripts);
  const chain = await loadStagedOutputs(tx, run.id, scripts);
  const holders = leases.map(({ invoiceId }) => invoiceId);
  const recorded = await loadRecorded(tx, run, scripts, [...new Set([...ids, ...holders])]);
  const leasesOf = Map.groupBy(leases, ({ scriptHex }) => scriptHex);
  const chainOf = Map.groupBy(chain, ({ scriptHex }) => scriptHex);
  return invoices.map((invoice) => {
    const outputs = chainOf.get(invoice.scriptHex) ?? [];
    const outpoints = new Set(outputs.map(outpointOf));
    const concerns = (output: RecordedOutput): boolean =>
      output.scriptHex === invoice.scriptHex ||
      output.invoice === invoice.publicId ||
      outpoints.has(outpointOf(output));
    return {
      ...invoice,
      leases: (leasesOf.get(invoice.scriptHex) ?? []).map(({ lease }) => lease),
      chain: outputs,
      recorded: recorded.filter(concerns),
    };
  });
}

type InvoiceRow = Omit<StoredCase, 'leases' | 'chain' | 'recorded'>;

async function loadInvoices(tx: TransactionSql, ids: readonly bigint[]): Promise<InvoiceRow[]> {
  type Row = Pick<StoredCase, 'id' | 'publicId' | 'status' | 'scriptHex'> &
    Omit<StoredCase['terms'], 'deadlineMs'> & { deadlineAt: Date };
  const rows = await tx<Row[]>`
    select id, public_id as "publicId", status, encode(script, 'hex') as "scriptHex", type,
      expected_amount as "expectedAmount", confirmations_required as "confirmationsRequired", deadline_at as "deadlineAt"
    from invoices where id = any (${ids.map(String)}::bigint[]) order by id`;
  return rows.map(({ id, publicId, status, scriptHex, deadlineAt, ...terms }) => ({
    id,
    publicId,
    status,
    scriptHex,
    terms: { ...terms, deadlineMs: deadlineAt.getTime() },
  }));
}

type StoredLease = { scriptHex: string; invoiceId: bigint; lease: ReconciledLease };

async function loadLeases(
  tx: TransactionSql,
  currency: Currency,
  scripts: readonly string[],
): Promise<StoredLease[]> {
  type Row = Omit<ReconciledLease, 'leasedAtMs' | 'deadlineMs'> & {
    scriptHex: string;
    invoiceId: bigint;
    leasedAt: Date;
    deadlineAt: Date;
  };
  const rows = await tx<Row[]>`
    select encode(l.script, 'hex') as "scriptHex", l.invoice_id as "invoiceId", i.public_id as invoice,
      l.leased_at as "leasedAt", l.tip_height as "tipHeight", l.read_counter as "readCounter",
      not exists (select from disconnected_blocks d where d.currency = l.currency and d.hash = l.tip_hash)
        as "isTipOnChain",
      -- Nobody can mean a donation that ended before its address was shown.
      case when i.shown_at is not null or i.status in ('new', 'pending') then i.expected_amount end as "expectedAmount",
      i.deadline_at as "deadlineAt"
    from address_leases l join invoices i on i.id = l.invoice_id
    where l.currency = ${currency} and l.script = any (${decoded(tx, scripts)})`;
  return rows.map(({ scriptHex, invoiceId, leasedAt, deadlineAt, ...lease }) => ({
    scriptHex,
    invoiceId,
    lease: { ...lease, leasedAtMs: leasedAt.getTime(), deadlineMs: deadlineAt.getTime() },
  }));
}

async function loadStagedOutputs(
  tx: TransactionSql,
  id: bigint,
  scripts: readonly string[],
): Promise<ChainOutput[]> {
  const rows = await tx<(Omit<ChainOutput, 'blockTimeMs'> & { blockTime: Date })[]>`
    select encode(txid, 'hex') as txid, vout, encode(script, 'hex') as "scriptHex", amount, height,
      block_time as "blockTime"
    from reconciliation_outputs where reconciliation_id = ${id} and script = any (${decoded(tx, scripts)})`;
  return rows.map(({ blockTime, ...output }) => ({ ...output, blockTimeMs: blockTime.getTime() }));
}

/**
 * The recorded payments of these invoices, those at these scripts without an invoice, and those under the outpoints that were
 * read there.
 */
async function loadRecorded(
  tx: TransactionSql,
  { id, currency }: { id: bigint; currency: Currency },
  scripts: readonly string[],
  invoiceIds: readonly bigint[],
): Promise<RecordedOutput[]> {
  type Row = Omit<RecordedOutput, 'firstSeenMs' | 'mempoolAtMs'> & {
    firstSeenAt: Date;
    mempoolAt: Date | null;
  };
  const rows = await tx<Row[]>`
    with wanted as (
      select id from payments where invoice_id = any (${invoiceIds.map(String)}::bigint[]) and currency = ${currency}
      union
      select id from payments
      where invoice_id is null and script = any (${decoded(tx, scripts)}) and currency = ${currency}
      union
      select p.id from reconciliation_outputs o
      join payments p on p.currency = ${currency} and p.txid = o.txid and p.vout = o.vout
      where o.reconciliation_id = ${id} and o.script = any (${decoded(tx, scripts)})
    )
    select encode(p.txid, 'hex') as txid, p.vout, encode(p.script, 'hex') as "scriptHex", p.amount,
      i.public_id as invoice, t.block_height as height, p.first_seen_at as "firstSeenAt", p.counted as "isCounted",
      t.read_counter as "readCounter", t.mempool_at as "mempoolAt",
      coalesce(p.created_at > i.outcome_at, false) as "isAfterOutcome",
      p.peg_out or exists (
        select from transaction_inputs mine
        join transaction_inputs theirs on theirs.currency = mine.currency and theirs.spent_txid = mine.spent_txid
          and theirs.spent_vout = mine.spent_vout and theirs.txid <> mine.txid
        join payments other on other.currency = theirs.currency and other.txid = theirs.txid and other.script = p.script
        where mine.currency = p.currency and mine.txid = p.txid) as "isSuccessor",
      ${hasRival(tx, currency, tx`p.txid`)} as "hasRival"
    from wanted join payments p using (id)
    left join transactions t on t.currency = p.currency and t.txid = p.txid
    left join invoices i on i.id = p.invoice_id`;
  return rows.map(({ firstSeenAt, mempoolAt, ...output }) => ({
    ...output,
    firstSeenMs: firstSeenAt.getTime(),
    mempoolAtMs: mempoolAt?.getTime() ?? null,
  }));
}

function decoded(tx: TransactionSql, scripts: readonly string[]) {
  return tx`array(select decode(s, 'hex') from unnest(${scripts}::text[]) s)`;
}

function outpointOf({ txid, vout }: { txid: string; vout: number }): string {
  return `${txid}:${vout}`;
}
