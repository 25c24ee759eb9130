import type { InvoiceStatus } from '@paywatch/domain/contract';
import type { Currency } from '@paywatch/domain/values';
import { formatRate } from '@paywatch/domain/prices';
import { showBy } from '../donations/shown-donations.ts';
import { isLost } from '../payments/descendants.ts';
import type { AnySql, TransactionSql } from '../postgres/database.ts';
import { toFiatRate, type FiatRate, type InvoiceRate } from './confirmation-rates.ts';
import { awaitsRescan, isNotPaused } from './deadlines.ts';

/** An invoice with all facts that its status depends on. */
export type UnsettledInvoice = {
  id: bigint;
  publicId: string;
  projectId: bigint;
  poolId: bigint;
  type: 'order' | 'donation';
  status: InvoiceStatus;
  currency: Currency;
  expectedAmount: bigint | null;
  confirmationsRequired: number;
  deadlineMs: number;
  /** The deadline for somebody to look at it, as in `InvoiceFacts`. */
  showByMs: number | null;
  version: number;
  isReversed: boolean;
  digestHex: string | null;
  /** The rate that was stored when it was confirmed; null if there is none. */
  fiatRate: FiatRate | null;
  donorName: string | null;
  donorMessage: string | null;
  /** The id of the request that created it, as in the log. */
  requestId: string | null;
  /** Whether its last decision failed. */
  isParked: boolean;
  /** An imported order that waits for a rescan of blocks that may contain its payment. */
  awaitsRescan: boolean;
  payments: UnsettledPayment[];
  /** Height of the tip when the payments were read; 0 without payments. */
  tipHeight: number;
};

export type UnsettledPayment = {
  id: bigint;
  txid: string;
  vout: number;
  amount: bigint;
  firstSeenMs: number;
  blockHeight: number | null;
  blockHash: string | null;
  isVoid: boolean;
  conflictsSettled: boolean;
  isCounted: boolean;
  spends: string[];
};

/** What a decision changes in the invoice's row. */
export type InvoiceChange = {
  id: bigint;
  status: InvoiceStatus;
  version: number;
  isReversed: boolean;
  digestHex: string;
  hasOutcome: boolean;
};

type InvoiceFactsRow = {
  id: bigint;
  public_id: string;
  project_id: bigint;
  pool_id: bigint;
  type: 'order' | 'donation';
  status: InvoiceStatus;
  currency: Currency;
  expected_amount: bigint | null;
  confirmations_required: number;
  deadline_at: Date;
  show_by: Date | null;
  version: number;
  reversed: boolean;
  digest: string | null;
  fiat_currency: string | null;
  fiat_rate: string | null;
  donor_name: string | null;
  donor_message: string | null;
  request_id: string | null;
  parked: boolean;
  awaits_rescan: boolean;
};

type PaymentFactsRow = {
  id: bigint;
  invoice_id: bigint;
  txid: string;
  vout: number;
  amount: bigint;
  first_seen_at: Date;
  block_height: number | null;
  block_hash: string | null;
  tip_height: number;
  is_void: boolean;
  conflicts_settled: boolean;
  counted: boolean;
  spends: string[];
};

/** Locks the invoices until the transaction ends, in the order of their ids, as every settlement does. */
export async function lockInvoices(tx: TransactionSql, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    select 1 from invoices where id = any (${ids.map(String)}::bigint[]) order by id for update`;
}

/**
 * Locks the invoices, then reads their payments, so that what another transaction recorded meanwhile is included. Rows are
 * locked in the order of their ids, so settlements cannot deadlock. A parked invoice is left out until its pause is over; it
 * stays queued, so nothing is missed.
 */
export async function lockUnsettledInvoices(
  tx: TransactionSql,
  ids: readonly bigint[],
): Promise<UnsettledInvoice[]> {
  if (ids.length === 0) return [];
  // Sent together; Postgres runs them one after another.
  const locking = tx<InvoiceFactsRow[]>`
    select id, public_id, project_id, pool_id, type, status, currency, expected_amount, confirmations_required, deadline_at,
           case when shown_at is null then ${showBy(tx)} end as show_by, version, reversed, encode(payments_digest, 'hex') as digest, fiat_currency, fiat_rate::text, donor_name, donor_message, request_id,
           exists (select from parked_invoices p where p.invoice_id = invoices.id) as parked,
           ${awaitsRescan(tx, tx`invoices.id`)} as awaits_rescan
    from invoices where id = any (${ids.map(String)}::bigint[]) and ${isNotPaused(tx, tx`invoices.id`)}
    order by id for update`;
  const [invoices, rows] = await Promise.all([locking, loadPayments(tx, ids)]);
  const payments = Map.groupBy(rows, (row) => row.invoice_id);
  return invoices.map((row) => toInvoice(row, payments.get(row.id) ?? []));
}

/**
 * Payments with the tip of the same snapshot: counted from the tip of another branch, a payment would seem deeper. Goes from
 * each invoice to its payments and their transactions: plain joins may be planned over a whole chain's.
 */
function loadPayments(tx: TransactionSql, ids: readonly bigint[]): Promise<PaymentFactsRow[]> {
  return tx<PaymentFactsRow[]>`
    select p.id, p.invoice_id, encode(p.txid, 'hex') as txid, p.vout, p.amount, p.first_seen_at, t.block_height,
           encode(t.block_hash, 'hex') as block_hash, c.tip_height, t.state = 'void' as is_void, p.counted,
           -- Void without a time of absence: no mempool and no block has held it for 14 days.
           case when t.state <> 'void' then false when t.absent_since is null then true
                else ${isLost(tx, tx`p.currency`, tx`p.txid`)} end as conflicts_settled,
           array(select encode(i.spent_txid, 'hex') || ':' || i.spent_vout from transaction_inputs i
                 where i.currency = p.currency and i.txid = p.txid) as spends
    from (select distinct unnest(${ids.map(String)}::bigint[]) as id) wanted
    cross join lateral (select * from payments where invoice_id = wanted.id offset 0) p
    cross join lateral (
      select state, block_height, block_hash, absent_since from transactions
      where currency = p.currency and txid = p.txid offset 0) t
    cross join lateral (select tip_height from chains where currency = p.currency offset 0) c
    order by p.id`;
}

function toInvoice(row: InvoiceFactsRow, payments: readonly PaymentFactsRow[]): UnsettledInvoice {
  return {
    id: row.id,
    publicId: row.public_id,
    projectId: row.project_id,
    poolId: row.pool_id,
    type: row.type,
    status: row.status,
    currency: row.currency,
    expectedAmount: row.expected_amount,
    confirmationsRequired: row.confirmations_required,
    deadlineMs: row.deadline_at.getTime(),
    showByMs: row.show_by?.getTime() ?? null,
    version: row.version,
    isReversed: row.reversed,
    digestHex: row.digest,
    fiatRate: toFiatRate(row.fiat_currency, row.fiat_rate),
    donorName: row.donor_name,
    donorMessage: row.donor_message,
    requestId: row.request_id,
    isParked: row.parked,
    awaitsRescan: row.awaits_rescan,
    payments: payments.map(toPayment),
    tipHeight: payments[0]?.tip_height ?? 0,
  };
}

function toPayment(row: PaymentFactsRow): UnsettledPayment {
  return {
    id: row.id,
    txid: row.txid,
    vout: row.vout,
    amount: row.amount,
    firstSeenMs: row.first_seen_at.getTime(),
    blockHeight: row.block_height,
    blockHash: row.block_hash,
    isVoid: row.is_void,
    conflictsSettled: row.conflicts_settled,
    isCounted: row.counted,
    spends: row.spends,
  };
}

/**
 * Writes decisions. `outcome_at` keeps the time of the first outcome. A donation that expires early, because nobody looked at
 * it, expires now, so later payments are late.
 */
export async function updateInvoices(
  tx: TransactionSql,
  changes: readonly InvoiceChange[],
  rates: readonly InvoiceRate[] = [],
): Promise<void> {
  if (changes.length === 0) return;
  const rateOf = new Map(rates.map(({ invoiceId, rate }) => [invoiceId, rate]));
  const fiat = changes.map(({ id }) => rateOf.get(id));
  const endsEarly = tx`c.status = 'expired' and i.shown_at is null`;
  // Booleans are sent as text: in an array, postgres.js sends even `true` as false.
  await tx`
    update invoices i set
      status = c.status, version = c.version, reversed = c.reversed::bool, payments_digest = decode(c.digest, 'hex'),
      fiat_currency = coalesce(i.fiat_currency, c.fiat_currency), fiat_rate = coalesce(i.fiat_rate, c.fiat_rate::numeric),
      outcome_at = case when c.has_outcome::bool then coalesce(i.outcome_at, now()) else i.outcome_at end,
      expires_at = case when ${endsEarly} then least(i.expires_at, now()) else i.expires_at end,
      deadline_at = case when ${endsEarly} then least(i.deadline_at, now()) else i.deadline_at end
    from unnest(${changes.map((c) => String(c.id))}::bigint[], ${changes.map((c) => c.status)}::text[],
                ${changes.map((c) => c.version)}::int[], ${changes.map((c) => String(c.isReversed))}::text[],
                ${changes.map((c) => c.digestHex)}::text[], ${changes.map((c) => String(c.hasOutcome))}::text[],
                ${fiat.map((rate) => rate?.currency ?? null)}::text[], ${fiat.map((rate) => (rate ? formatRate(rate.value) : null))}::text[])
      as c (id, status, version, reversed, digest, has_outcome, fiat_currency, fiat_rate)
    where i.id = c.id`;
}

/** Marks payments as part of a reported outcome or late payment. */
export async function markCounted(tx: TransactionSql, paymentIds: readonly bigint[]): Promise<void> {
  if (paymentIds.length === 0) return;
  await tx`update payments set counted = true where id = any (${paymentIds.map(String)}::bigint[])`;
}

/** The time by which a transaction makes its decisions, in epoch milliseconds. */
export async function transactionTime(sql: AnySql): Promise<number> {
  const [row] = await sql<{ now: Date }[]>`select now() as now`;
  if (!row) throw new Error('Postgres returned no time');
  return row.now.getTime();
}
