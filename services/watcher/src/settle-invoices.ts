import { createHash } from 'node:crypto';
import {
  buildEventBody,
  buildOwnerView,
  decideInvoiceStatus,
  invoiceAmounts,
  isOpen,
  outpointOf,
  paymentState,
  type Currency,
  type Decision,
  type InvoiceFacts,
  type StatusStep,
} from '@paywatch/domain';
import { randomBase58, randomFraction } from '@paywatch/runtime';
import {
  addToStats,
  insertEvents,
  insertOverlayDonation,
  loadChain,
  loadSnapshotsById,
  lockUnsettledInvoices,
  markCounted,
  publishInvoicesChanged,
  publishOverlayDonations,
  releaseLeases,
  STATS_SHARDS,
  transactionTime,
  updateInvoices,
  type InvoiceChange,
  type NewEvent,
  type NewOverlayDonation,
  type OverlayDonation,
  type StatsChange,
  type StoredSnapshot,
  type TransactionSql,
  type UnsettledInvoice,
  type UnsettledPayment,
} from '@paywatch/store';
import type { WatcherContext } from './context.ts';

/** What a settlement changed: to be published once its transaction has committed, never before. */
export type Settled = { changed: string[]; donations: OverlayDonation[] };

type Verdict = { invoice: UnsettledInvoice; decision: Decision; change: InvoiceChange };

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
  const invoices = await lockUnsettledInvoices(tx, ids);
  const chain = await loadChain(tx, currency);
  if (invoices.length === 0 || !chain) return { changed: [], donations: [] };
  const nowMs = await transactionTime(tx);
  const view = { tipHeight: chain.tip.height, isFresh: chain.isFresh };
  const verdicts = invoices
    .map((invoice) => decide(context, invoice, view, nowMs))
    .filter(({ invoice, change }) => change.version !== invoice.version);
  await write(context, tx, verdicts);
  const donations = await addDonations(tx, verdicts);
  return { changed: verdicts.map(({ invoice }) => invoice.publicId), donations };
}

/** Tells the replicas what a committed settlement changed. */
export async function publishSettled({ store }: WatcherContext, settled: Settled): Promise<void> {
  await Promise.all([
    publishInvoicesChanged(store, settled.changed),
    publishOverlayDonations(store, settled.donations),
  ]);
}

function decide(
  context: WatcherContext,
  invoice: UnsettledInvoice,
  chain: { tipHeight: number; isFresh: boolean },
  nowMs: number,
): Verdict {
  const facts: InvoiceFacts = { ...invoice, toleranceBps: context.settings.toleranceBps };
  const decision = decideInvoiceStatus(facts, invoice.payments, chain, nowMs);
  const digestHex = digest({ ...facts, status: decision.status }, invoice, decision, chain.tipHeight, nowMs);
  const isSame = decision.steps.length === 0 && digestHex === invoice.digestHex;
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
  };
}

/** What readers see of the payments. Depth counts up to what is required: what lies beyond makes no new version. */
function digest(
  facts: InvoiceFacts,
  { payments }: UnsettledInvoice,
  decision: Decision,
  tipHeight: number,
  nowMs: number,
): string {
  const cap = (depth: number): number => Math.min(depth, facts.confirmationsRequired);
  const seen = payments.map((payment) => {
    const state = paymentState(payment, facts, tipHeight);
    // A block that is recorded while our tip is still below it shows with the tip: one block, one version.
    const block = state.confirmations > 0 ? payment.blockHeight : null;
    return [outpointOf(payment), state.status, state.isLate, cap(state.confirmations), block];
  });
  const { confirmations } = invoiceAmounts(facts, payments, tipHeight, nowMs);
  const visible = JSON.stringify([seen, cap(confirmations), decision.isReversed]);
  return createHash('sha256').update(visible).digest('hex').slice(0, 32);
}

async function write(
  context: WatcherContext,
  tx: TransactionSql,
  verdicts: readonly Verdict[],
): Promise<void> {
  await updateInvoices(
    tx,
    verdicts.map(({ change }) => change),
  );
  await markCounted(tx, verdicts.flatMap(countedPayments));
  await releaseLeases(
    tx,
    verdicts
      .filter(({ invoice, change }) => isOpen(invoice.status) && change.hasOutcome)
      .map((v) => v.invoice.id),
  );
  await addToStats(tx, verdicts.flatMap(statsChanges), Math.floor(randomFraction() * STATS_SHARDS));
  await writeEvents(
    context,
    tx,
    verdicts.filter(({ decision }) => decision.steps.some((step) => step.event)),
  );
}

function countedPayments({ invoice, decision }: Verdict): bigint[] {
  const counted = new Set(decision.steps.flatMap((step) => step.counted));
  return invoice.payments.filter((payment) => counted.has(outpointOf(payment))).map((payment) => payment.id);
}

/** Bodies show the invoice as it stands after each step, so they are made from what was just written. */
async function writeEvents(
  context: WatcherContext,
  tx: TransactionSql,
  verdicts: readonly Verdict[],
): Promise<void> {
  const ids = verdicts.map(({ invoice }) => invoice.id);
  const snapshots = new Map(
    (await loadSnapshotsById(tx, ids, context.settings)).map((snapshot) => [snapshot.invoiceId, snapshot]),
  );
  const events = verdicts.flatMap((verdict) => eventsOf(verdict, snapshots.get(verdict.invoice.id)));
  await insertEvents(tx, events);
}

function eventsOf({ invoice, decision }: Verdict, snapshot: StoredSnapshot | undefined): NewEvent[] {
  if (!snapshot) throw new Error(`invoice ${invoice.publicId} has no snapshot`);
  return decision.steps.flatMap((step, index) => {
    if (!step.event) return [];
    const version = invoice.version + index + 1;
    return [newEvent(invoice, step, { ...snapshot, status: step.to, version })];
  });
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
  };
}

/**
 * Counters move with the status. Accepted money is what an outcome `confirmed` counted, with what came on top of it
 * later; a reversal takes it off again, and gives it back if the chain does.
 */
function statsChanges({ invoice, decision, change }: Verdict): StatsChange[] {
  const { projectId, currency } = invoice;
  const entry = { projectId, currency };
  const steps = decision.steps.map((step) => {
    const confirms = step.event === 'invoice.confirmed';
    const acceptedAmount = step.to === 'confirmed' ? amountOf(invoice, step.counted) : 0n;
    return {
      ...entry,
      from: step.from,
      to: step.to,
      confirmed: confirms ? 1 : 0,
      acceptedAmount,
      acceptedCount: confirms ? 1 : 0,
    };
  });
  if (change.isReversed === invoice.isReversed || change.status !== 'confirmed') return steps;
  const sign = change.isReversed ? -1 : 1;
  const accepted = invoice.payments.filter((payment) => payment.isCounted);
  const acceptedAmount = BigInt(sign) * total(accepted);
  return [
    ...steps,
    { ...entry, from: 'confirmed', to: 'confirmed', confirmed: 0, acceptedAmount, acceptedCount: sign },
  ];
}

function amountOf(invoice: UnsettledInvoice, outpoints: readonly string[]): bigint {
  return total(invoice.payments.filter((payment) => outpoints.includes(outpointOf(payment))));
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
