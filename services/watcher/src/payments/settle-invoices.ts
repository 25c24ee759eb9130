import { createHash } from 'node:crypto';
import type { InvoiceStatus } from '@paywatch/domain/contract';
import {
  buildOwnerView,
  decideInvoiceStatus,
  invoiceAmounts,
  isOpen,
  openUntil,
  outpointOf,
  paymentState,
  type Decision,
  type InvoiceFacts,
  type StatusStep,
} from '@paywatch/domain/invoices';
import type { Currency } from '@paywatch/domain/values';
import { buildEventBody } from '@paywatch/domain/webhooks';
import { withTimeout } from '@paywatch/runtime/process';
import { randomBase58, randomFraction } from '@paywatch/runtime/security';
import { loadChain, type ChainState } from '@paywatch/store/chain';
import {
  insertOverlayDonation,
  type NewOverlayDonation,
  type OverlayDonation,
} from '@paywatch/store/donations';
import {
  forInvoice,
  loadSnapshotsById,
  lockUnsettledInvoices,
  markCounted,
  resumeDeadlines,
  transactionTime,
  unparkInvoices,
  updateInvoices,
  type DescribedFault,
  type InvoiceChange,
  type StoredSnapshot,
  type UnsettledInvoice,
  type UnsettledPayment,
} from '@paywatch/store/invoices';
import { releaseLeases } from '@paywatch/store/pools';
import type { TransactionSql } from '@paywatch/store/postgres';
import { publishInvoicesChanged, publishOverlayDonations, type ChangedInvoice } from '@paywatch/store/redis';
import { addToStats, STATS_SHARDS, type StatsChange } from '@paywatch/store/stats';
import { grantPurchases } from '@paywatch/store/subscriptions';
import { insertEvents, type NewEvent } from '@paywatch/store/webhooks';
import type { WatcherContext } from '../context.ts';
import { withholdUnagreed, type BelievedPayment } from './withhold-unagreed.ts';

/** What a settlement changed: to be published once its transaction has committed, never before. */
export type Settled = {
  changed: readonly ChangedInvoice[];
  /** Those of them whose money was taken back. */
  reversed: readonly string[];
  donations: readonly OverlayDonation[];
  events: readonly NewEvent[];
  /** Invoices that were set aside because their decision failed. */
  parked: readonly (DescribedFault & { invoiceId: bigint; currency: Currency })[];
};

/** A settlement that changed nothing. */
export const NOTHING_SETTLED: Settled = { changed: [], reversed: [], donations: [], events: [], parked: [] };

type Verdict = {
  invoice: UnsettledInvoice;
  decision: Decision;
  change: InvoiceChange;
  /** Its deadline has passed, and what was read of the chain does not say yet how it ends. */
  isUndecidable: boolean;
};

/**
 * Decides the invoices from what is recorded now and writes all that follows, in the caller's transaction: status and
 * version, counted payments, events with their deliveries, overlay donations, statistics, released addresses.
 * Settling again changes nothing.
 */
export async function settleInvoices(
  context: WatcherContext,
  tx: TransactionSql,
  currency: Currency,
  ids: readonly bigint[],
): Promise<Settled> {
  const [chain, invoices, nowMs] = await Promise.all([
    // Before the payments: what has been read until then is among them.
    loadChain(tx, currency),
    lockUnsettledInvoices(tx, ids),
    transactionTime(tx),
  ]);
  if (invoices.length === 0 || !chain) return NOTHING_SETTLED;
  const believed = await withholdUnagreed(context, tx, currency, invoices);
  const verdicts = invoices.map((invoice) =>
    forInvoice(invoice, () => decide(context, invoice, believed.get(invoice.id) ?? [], chain, nowMs)),
  );
  await resumeDeadlines(
    tx,
    verdicts.filter((verdict) => verdict.isUndecidable).map(({ invoice }) => invoice.id),
  );
  const settled = await write(
    context,
    tx,
    verdicts.filter(({ invoice, change }) => change.version !== invoice.version),
  );
  await unparkInvoices(
    tx,
    invoices.filter(({ isParked }) => isParked).map(({ id }) => id),
  );
  return settled;
}

/** Publishing is best effort: the API reads streamed invoices again by itself. */
const PUBLISH_TIMEOUT_MS = 1000;

/** Tells the replicas, and the operator, what a committed settlement changed. Never throws. */
export async function publishSettled({ store, logger }: WatcherContext, settled: Settled): Promise<void> {
  for (const publicId of settled.reversed) logger.warn({ publicId }, 'money that was reported is gone');
  for (const { publicId, type, requestId } of settled.events)
    logger.debug({ event_id: publicId, type, request_id: requestId }, 'an outcome is decided');
  for (const { invoiceId, currency, errorClass, message } of settled.parked)
    logger.error(
      { invoice_id: String(invoiceId), currency, error_class: errorClass, error_message: message },
      'invoice parked: its decision fails; see `paywatch invoices parked`',
    );
  const published = Promise.all([
    publishInvoicesChanged(store, settled.changed),
    publishOverlayDonations(store, settled.donations),
  ]);
  await withTimeout(published, PUBLISH_TIMEOUT_MS, () => undefined);
}

function decide(
  context: WatcherContext,
  invoice: UnsettledInvoice,
  believed: readonly BelievedPayment[],
  chain: ChainState,
  nowMs: number,
): Verdict {
  const { tipHeight, payments, deadlineMs } = invoice;
  // Nothing is in time of it, nor late: the invoice would stay open for ever, and nobody would know.
  if (Number.isNaN(deadlineMs)) throw new Error('no valid deadline');
  const facts: InvoiceFacts = { ...invoice, toleranceBps: context.settings.toleranceBps };
  // A payment in time may wait in a mempool that nobody has read since the invoice was over.
  const endMs = openUntil(invoice, payments);
  const isRead = chain.readUntilMs !== null && endMs < chain.readUntilMs && !invoice.awaitsRescan;
  const isFresh = chain.isFresh && isRead;
  const decision = decideInvoiceStatus(facts, believed, { tipHeight, isFresh }, nowMs);
  const decided = { ...facts, status: decision.status };
  const digestHex = digest(decided, payments, decision.isReversed, { tipHeight, nowMs });
  const known = invoice.digestHex ?? digest(facts, [], false, { tipHeight, nowMs });
  const isSame = decision.steps.length === 0 && digestHex === known;
  return {
    invoice,
    decision,
    change: {
      id: invoice.id,
      status: decision.status,
      version: isSame ? invoice.version : invoice.version + Math.max(1, decision.steps.length),
      isReversed: decision.isReversed,
      digestHex,
      hasOutcome: !isOpen(decision.status),
    },
    isUndecidable: isOpen(decision.status) && nowMs > endMs && !isFresh,
  };
}

/** What readers see of the payments. Depth counts up to what is required: what lies beyond makes no new version. */
function digest(
  facts: InvoiceFacts,
  payments: readonly UnsettledPayment[],
  isReversed: boolean,
  { tipHeight, nowMs }: { tipHeight: number; nowMs: number },
): string {
  const cap = (depth: number): number => Math.min(depth, facts.confirmationsRequired);
  const seen = payments.map((payment) => {
    const state = paymentState(payment, facts, tipHeight);
    // A block that is recorded while our tip is still below it shows with the tip: one block, one version.
    const block = state.confirmations > 0 ? payment.blockHash : null;
    const { firstSeenMs } = payment;
    return [outpointOf(payment), state.status, state.isLate, firstSeenMs, cap(state.confirmations), block];
  });
  const { confirmations } = invoiceAmounts(facts, payments, tipHeight, nowMs);
  const visible = JSON.stringify([seen, cap(confirmations), isReversed]);
  return createHash('sha256').update(visible).digest('hex').slice(0, 32);
}

async function write(
  context: WatcherContext,
  tx: TransactionSql,
  verdicts: readonly Verdict[],
): Promise<Settled> {
  const changes = verdicts.map(({ change }) => change);
  const ended = verdicts
    .filter(({ invoice, change }) => isOpen(invoice.status) && change.hasOutcome)
    .map(({ invoice }) => invoice.id);
  await Promise.all([
    updateInvoices(tx, changes),
    markCounted(tx, verdicts.flatMap(countedPayments)),
    releaseLeases(tx, ended),
    addToStats(tx, verdicts.flatMap(statsChanges), Math.floor(randomFraction() * STATS_SHARDS)),
    grantPurchases(tx, verdicts.flatMap(confirmedInvoices), 'payment'),
  ]);
  const events = await writeEvents(
    context,
    tx,
    verdicts.filter(({ decision }) => decision.steps.some((step) => step.event)),
  );
  const changed = verdicts.map(({ invoice: { publicId }, change: { version } }) => ({ publicId, version }));
  return {
    changed,
    reversed: verdicts
      .filter(({ invoice, change }) => change.isReversed && !invoice.isReversed)
      .map(({ invoice }) => invoice.publicId),
    donations: await addDonations(tx, verdicts),
    events,
    parked: [],
  };
}

/** Those that become confirmed: late money, short money and a second block after a reorganisation are nobody's subscription. */
function confirmedInvoices({ invoice, decision }: Verdict): bigint[] {
  return decision.steps.some(({ event }) => event === 'invoice.confirmed') ? [invoice.id] : [];
}

function countedPayments({ invoice, decision }: Verdict): bigint[] {
  const counted = new Set(decision.steps.flatMap((step) => step.counted));
  return invoice.payments.filter((payment) => counted.has(outpointOf(payment))).map((payment) => payment.id);
}

/**
 * Bodies show the invoice as it stands after each step, so they are made from what was just written, and from the facts that it was
 * decided by: a block may have left the best chain since.
 */
async function writeEvents(
  context: WatcherContext,
  tx: TransactionSql,
  verdicts: readonly Verdict[],
): Promise<NewEvent[]> {
  const ids = verdicts.map(({ invoice }) => invoice.id);
  const snapshots = new Map(
    (await loadSnapshotsById(tx, ids, context.settings)).map((snapshot) => [snapshot.invoiceId, snapshot]),
  );
  const events = verdicts.flatMap((verdict) =>
    forInvoice(verdict.invoice, () => eventsOf(verdict, snapshots.get(verdict.invoice.id))),
  );
  await insertEvents(tx, events);
  return events;
}

function eventsOf({ invoice, decision }: Verdict, snapshot: StoredSnapshot | undefined): NewEvent[] {
  if (!snapshot) throw new Error(`invoice ${invoice.publicId} has no snapshot`);
  return decision.steps.flatMap((step, index) => {
    if (!step.event) return [];
    const version = invoice.version + index + 1;
    return [newEvent(invoice, step, { ...decidedBy(invoice, snapshot), status: step.to, version })];
  });
}

function decidedBy({ payments, tipHeight }: UnsettledInvoice, snapshot: StoredSnapshot): StoredSnapshot {
  const facts = new Map(payments.map((payment) => [outpointOf(payment), payment]));
  const shown = snapshot.payments.flatMap((payment) => {
    const known = facts.get(outpointOf(payment));
    if (!known) return [];
    const { blockHeight, blockHash, isVoid } = known;
    return [{ ...payment, blockHeight, blockHash, isVoid }];
  });
  return { ...snapshot, tipHeight: payments.length > 0 ? tipHeight : snapshot.tipHeight, payments: shown };
}

function newEvent(invoice: UnsettledInvoice, step: StatusStep, snapshot: StoredSnapshot): NewEvent {
  if (!step.event) throw new Error('only a step with an event makes one');
  const publicId = `evt_${randomBase58(16)}`;
  const view = buildOwnerView(snapshot);
  const body = buildEventBody({
    id: publicId,
    type: step.event,
    createdAtMs: snapshot.nowMs,
    invoice: view,
    previousStatus: step.from,
    payments: view.payments.filter((payment) => step.counted.includes(outpointOf(payment))),
  });
  return {
    publicId,
    projectId: invoice.projectId,
    invoiceId: invoice.id,
    type: step.event,
    txid: step.txid,
    body,
    requestId: invoice.requestId,
  };
}

/**
 * Counters move with the status. Accepted is what the counted payments of a confirmed invoice come to, later ones
 * included, and nothing as long as it is reversed.
 */
function statsChanges({ invoice, decision, change }: Verdict): StatsChange[] {
  const { projectId, poolId, currency } = invoice;
  const entry = { projectId, poolId, currency };
  const moves = decision.steps.map(({ from, to, event }) => {
    const confirmed = event === 'invoice.confirmed' ? 1 : 0;
    return { ...entry, from, to, confirmed, acceptedAmount: 0n, acceptedCount: 0 };
  });
  const countedNow = new Set(decision.steps.flatMap((step) => step.counted));
  const before = invoice.payments.filter((payment) => payment.isCounted);
  const after = invoice.payments.filter(
    (payment) => payment.isCounted || countedNow.has(outpointOf(payment)),
  );
  const had = accepted(invoice, before);
  const has = accepted(change, after);
  const { status } = change;
  const acceptedAmount = has.amount - had.amount;
  const acceptedCount = has.count - had.count;
  if (acceptedAmount === 0n && acceptedCount === 0) return moves;
  return [...moves, { ...entry, from: status, to: status, confirmed: 0, acceptedAmount, acceptedCount }];
}

function accepted(
  { status, isReversed }: { status: InvoiceStatus; isReversed: boolean },
  counted: readonly UnsettledPayment[],
): { amount: bigint; count: number } {
  const isAccepted = status === 'confirmed' && !isReversed;
  return isAccepted ? { amount: total(counted), count: 1 } : { amount: 0n, count: 0 };
}

function total(payments: readonly UnsettledPayment[]): bigint {
  return payments.reduce((sum, payment) => sum + payment.amount, 0n);
}

/** Each confirmed transaction of a donation, once. In ascending order of project, as the overlay's lock wants it. */
async function addDonations(tx: TransactionSql, verdicts: readonly Verdict[]): Promise<OverlayDonation[]> {
  const news = verdicts.flatMap(donationsOf).toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1));
  const added: OverlayDonation[] = [];
  for (const donation of news) {
    const row = await insertOverlayDonation(tx, donation);
    if (row) added.push(row);
  }
  return added;
}

function donationsOf({ invoice, decision }: Verdict): NewOverlayDonation[] {
  if (invoice.type !== 'donation') return [];
  const counted = new Set(decision.steps.flatMap((step) => step.counted));
  const paid = invoice.payments.filter((payment) => counted.has(outpointOf(payment)));
  return [...Map.groupBy(paid, (payment) => payment.txid)].map(([txid, outputs]) => ({
    invoiceId: invoice.id,
    projectId: invoice.projectId,
    txid,
    amount: total(outputs),
  }));
}
