import { STALE_AFTER_SECONDS } from './invoice-snapshots.ts';
import type { AnySql, TransactionSql } from '../postgres/database.ts';
import { isLost } from '../payments/descendants.ts';
import { SHOW_WITHIN_SECONDS, showBy } from '../donations/shown-donations.ts';

type Currency = 'BTC' | 'LTC';
type InvoiceStatus = 'new' | 'pending' | 'confirmed' | 'underpaid' | 'expired' | 'late_payment';

/** An invoice with all that its status is decided from. */
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
  /** By when somebody has to look at it, as in `InvoiceFacts`. */
  showByMs: number | null;
  version: number;
  isReversed: boolean;
  digestHex: string | null;
  donorName: string | null;
  donorMessage: string | null;
  /** The request that created it, as the log knows it. */
  requestId: string | null;
  /** Its last decision failed. */
  isParked: boolean;
  /** An imported order, and blocks in which it may have been paid are still to be read again. */
  awaitsRescan: boolean;
  payments: UnsettledPayment[];
  /** Of the moment at which the payments were read; 0 where there are none. */
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

/** What a decision changes on the invoice's row. */
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
 * Locks the invoices and reads their payments after that, so that what another transaction recorded meanwhile is seen.
 * Rows are locked in the order of their ids: two settlements never wait for each other in a circle. A parked invoice is left
 * out until its pause is over; it is queued, so nothing is missed.
 */
export async function lockUnsettledInvoices(
  tx: TransactionSql,
  ids: readonly bigint[],
): Promise<UnsettledInvoice[]> {
  if (ids.length === 0) return [];
  // Sent together, answered one after the other.
  const locking = tx<InvoiceFactsRow[]>`
    select id, public_id, project_id, pool_id, type, status, currency, expected_amount, confirmations_required, deadline_at,
           case when shown_at is null then ${showBy(tx)} end as show_by, version, reversed, encode(payments_digest, 'hex') as digest, donor_name, donor_message, request_id,
           exists (select from parked_invoices p where p.invoice_id = invoices.id) as parked,
           ${awaitsRescan(tx, tx`invoices.id`)} as awaits_rescan
    from invoices where id = any (${ids.map(String)}::bigint[]) and ${isNotPaused(tx, tx`invoices.id`)}
    order by id for update`;
  const [invoices, rows] = await Promise.all([locking, loadPayments(tx, ids)]);
  const payments = Map.groupBy(rows, (row) => row.invoice_id);
  return invoices.map((row) => toInvoice(row, payments.get(row.id) ?? []));
}

/** Whether the invoice may be decided now: it is not parked, or its pause is over. */
function isNotPaused(sql: AnySql, invoiceId: ReturnType<AnySql>) {
  return sql`not exists (
    select from parked_invoices paused where paused.invoice_id = ${invoiceId} and paused.next_attempt_at > now())`;
}

/** Whether blocks are still to be read again in which an imported order may have been paid: until then it does not end. */
function awaitsRescan(sql: AnySql, invoiceId: ReturnType<AnySql>) {
  return sql`exists (
    select from address_leases l join chain_rescans r on r.id = l.rescan_id
    where l.invoice_id = ${invoiceId} and r.ended_at is null offset 0)`;
}

/**
 * With the tip, which must be of the same moment: a payment counted from the tip of another branch seems deeper. From each
 * invoice straight to its payments and their transactions: as plain joins it may be planned over all of a chain's.
 */
function loadPayments(tx: TransactionSql, ids: readonly bigint[]): Promise<PaymentFactsRow[]> {
  return tx<PaymentFactsRow[]>`
    select p.id, p.invoice_id, encode(p.txid, 'hex') as txid, p.vout, p.amount, p.first_seen_at, t.block_height,
           encode(t.block_hash, 'hex') as block_hash, c.tip_height, t.state = 'void' as is_void, p.counted,
           -- Void without a time of absence: nothing has held it for 14 days.
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
 * Writes decisions. `outcome_at` keeps the time of the first outcome. What expires early, because nobody looked at it, expires
 * now: whatever is paid to it later is late.
 */
export async function updateInvoices(tx: TransactionSql, changes: readonly InvoiceChange[]): Promise<void> {
  if (changes.length === 0) return;
  const endsEarly = tx`c.status = 'expired' and i.shown_at is null`;
  // Booleans go as text: postgres.js sends whatever is not `true` itself as false, in arrays even that.
  await tx`
    update invoices i set
      status = c.status, version = c.version, reversed = c.reversed::bool, payments_digest = decode(c.digest, 'hex'),
      outcome_at = case when c.has_outcome::bool then coalesce(i.outcome_at, now()) else i.outcome_at end,
      expires_at = case when ${endsEarly} then least(i.expires_at, now()) else i.expires_at end,
      deadline_at = case when ${endsEarly} then least(i.deadline_at, now()) else i.deadline_at end
    from unnest(${changes.map((c) => String(c.id))}::bigint[], ${changes.map((c) => c.status)}::text[],
                ${changes.map((c) => c.version)}::int[], ${changes.map((c) => String(c.isReversed))}::text[],
                ${changes.map((c) => c.digestHex)}::text[], ${changes.map((c) => String(c.hasOutcome))}::text[])
      as c (id, status, version, reversed, digest, has_outcome)
    where i.id = c.id`;
}

/** Marks payments as part of a reported outcome or late payment. */
export async function markCounted(tx: TransactionSql, paymentIds: readonly bigint[]): Promise<void> {
  if (paymentIds.length === 0) return;
  await tx`update payments set counted = true where id = any (${paymentIds.map(String)}::bigint[])`;
}

/**
 * The end of every statement that queues decisions. A row that is queued already is held until the commit: whoever took it
 * before would decide by the facts of before, and nobody by those that are being written.
 */
export function orHoldQueued(sql: AnySql) {
  return sql`on conflict (currency, invoice_id) do update set invoice_id = excluded.invoice_id`;
}

/**
 * Has the invoices decided once this transaction is committed. Before any of them is locked: whoever decides takes them from
 * the queue first, too.
 */
export async function queueDecisions(
  tx: TransactionSql,
  currency: Currency,
  invoiceIds: readonly bigint[],
): Promise<void> {
  if (invoiceIds.length === 0) return;
  await tx`
    insert into due_decisions (currency, invoice_id)
    select ${currency}, id from unnest(${invoiceIds.map(String)}::bigint[]) id order by id
    ${orHoldQueued(tx)}`;
}

/** An invoice as whoever has it decided again needs to know it. */
export type QueuedInvoice = {
  invoiceId: bigint;
  projectId: bigint;
  currency: Currency;
  status: InvoiceStatus;
  version: number;
  createdAt: Date;
};

/** Has an invoice decided again from what is recorded, a parked one at once; null for an unknown one. Safe to repeat. */
export async function queueDecisionAgain(sql: AnySql, publicId: string): Promise<QueuedInvoice | null> {
  const [invoice] = await sql<QueuedInvoice[]>`
    with wanted as (
      select id as "invoiceId", project_id as "projectId", currency, status, version, created_at as "createdAt"
      from invoices where public_id = ${publicId}
    ), resumed as (
      update parked_invoices set next_attempt_at = now() where invoice_id in (select "invoiceId" from wanted)
    ), queued as (
      insert into due_decisions (currency, invoice_id) select currency, "invoiceId" from wanted
      ${orHoldQueued(sql)} returning 1
    )
    select * from wanted where (select count(*) from queued) > 0`;
  return invoice ?? null;
}

/** Where the decision of an invoice stands. */
export type DecisionState = {
  status: InvoiceStatus;
  version: number;
  /** A decision still waits. */
  isQueued: boolean;
  /** Why the last decision failed, while the invoice is parked; else null. */
  fault: string | null;
};

/** Status and version of an invoice, whether a decision of it still waits, and why it failed. Throws for an unknown one. */
export async function findDecision(sql: AnySql, invoiceId: bigint): Promise<DecisionState> {
  const [row] = await sql<DecisionState[]>`
    select i.status, i.version,
      exists (select from due_decisions d where d.currency = i.currency and d.invoice_id = i.id) as "isQueued",
      (select p.error_class || ': ' || p.error_message from parked_invoices p
       where p.invoice_id = i.id and p.next_attempt_at > now()) as fault
    from invoices i where i.id = ${invoiceId}`;
  if (!row) throw new Error('an invoice is never deleted');
  return row;
}

/**
 * Takes up to `limit` invoices that wait for a decision, none that is parked; other workers pass over them until this
 * transaction ends.
 */
export async function takeDueDecisions(
  tx: TransactionSql,
  currency: Currency,
  limit: number,
): Promise<bigint[]> {
  const rows = await tx<{ invoice_id: bigint }[]>`
    delete from due_decisions where currency = ${currency} and invoice_id = any (array(
      select invoice_id from due_decisions where currency = ${currency} and ${isNotPaused(tx, tx`due_decisions.invoice_id`)}
      order by invoice_id limit ${limit} for update skip locked))
    returning invoice_id`;
  return rows.map((row) => row.invoice_id);
}

/**
 * Takes up to `limit` open invoices whose deadline has passed and notes that they were looked at: what is still open
 * after that changes with its payments alone. Takes none while the chain view is stale or has not been read past the
 * deadline. Other workers pass over them until this transaction ends.
 */
export async function takePastDeadline(
  tx: TransactionSql,
  currency: Currency,
  limit: number,
): Promise<bigint[]> {
  const rows = await tx<{ id: bigint }[]>`
    -- An array, not a join: as a join it may be planned over every invoice there ever was.
    update invoices set deadline_swept = true where id = any (array(
      select id from invoices
      where currency = ${currency} and status in ('new', 'pending') and not deadline_swept
        and ${isNotPaused(tx, tx`invoices.id`)} and not ${awaitsRescan(tx, tx`invoices.id`)}
        -- A value, not a join: only so the index is read no further than to it. Decisions are made in milliseconds:
        -- a deadline within the present one has not passed for them.
        and deadline_at < (
          select date_trunc('milliseconds', least(now(), mempool_read_at)) from chains
          where currency = ${currency} and stale_since is null
            and checked_at > now() - make_interval(secs => ${STALE_AFTER_SECONDS}))
      order by deadline_at limit ${limit} for update skip locked))
    returning id`;
  return rows.map((row) => row.id);
}

/**
 * Takes up to `limit` donations that nobody was shown in time and nobody paid; none while the chain view is stale or has not
 * been read since. One that somebody is being shown at this moment is passed over: it has been shown once that is committed.
 */
export async function takeUnshown(tx: TransactionSql, currency: Currency, limit: number): Promise<bigint[]> {
  const rows = await tx<{ id: bigint }[]>`
    select id from invoices
    where currency = ${currency} and status = 'new' and shown_at is null and ${isNotPaused(tx, tx`invoices.id`)}
      and not exists (select from payments p where p.invoice_id = invoices.id)
      and created_at < (
        select date_trunc('milliseconds', least(now(), mempool_read_at)) - make_interval(secs => ${SHOW_WITHIN_SECONDS})
        from chains
        where currency = ${currency} and stale_since is null
          and checked_at > now() - make_interval(secs => ${STALE_AFTER_SECONDS}))
    order by created_at limit ${limit} for update skip locked`;
  return rows.map((row) => row.id);
}

/** Has these looked at again once their deadlines can be judged: what was learned while the view was stale decided nothing. */
export async function resumeDeadlines(tx: TransactionSql, invoiceIds: readonly bigint[]): Promise<void> {
  if (invoiceIds.length === 0) return;
  await tx`
    update invoices set deadline_swept = false
    where id = any (${invoiceIds.map(String)}::bigint[]) and deadline_swept`;
}

/** The time by which a transaction's decisions are made. Epoch milliseconds. */
export async function transactionTime(sql: AnySql): Promise<number> {
  const [row] = await sql<{ now: Date }[]>`select now() as now`;
  if (!row) throw new Error('Postgres did not tell the time');
  return row.now.getTime();
}
