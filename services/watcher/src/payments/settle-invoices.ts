import { isOpen, outpointOf } from '@paywatch/domain/invoices';
import type { Currency } from '@paywatch/domain/values';
import { withTimeout } from '@paywatch/runtime/process';
import { randomFraction } from '@paywatch/runtime/security';
import { loadChain } from '@paywatch/store/chain';
import {
  type AddedDonation,
  type NewOverlayDonation,
  insertOverlayDonation,
} from '@paywatch/store/donations';
import {
  type DescribedFault,
  findConfirmationRates,
  forInvoice,
  lockUnsettledInvoices,
  markCounted,
  recheckDeadlines,
  transactionTime,
  unparkInvoices,
  updateInvoices,
} from '@paywatch/store/invoices';
import { releaseLeases } from '@paywatch/store/pools';
import type { TransactionSql } from '@paywatch/store/postgres';
import { type ChangedInvoice, publishInvoicesChanged, publishOverlayDonations } from '@paywatch/store/redis';
import { STATS_SHARDS, addToFiatTotals, addToStats } from '@paywatch/store/stats';
import { grantPurchases } from '@paywatch/store/subscriptions';
import type { NewEvent } from '@paywatch/store/webhooks';
import type { WatcherContext } from '../context.ts';
import { type Verdict, decide } from './decide-invoice.ts';
import { fiatChanges, invoicesWithoutRate } from './settled-fiat.ts';
import { statsChanges, total } from './settled-stats.ts';
import { withholdUnagreed } from './withhold-unagreed.ts';
import { writeEvents } from './write-events.ts';

/** The changes of a settlement. Publish them only after its transaction has committed. */
export type Settled = {
  changed: readonly ChangedInvoice[];
  /** Those of them whose confirmed payment was reversed. */
  reversed: readonly string[];
  donations: readonly AddedDonation[];
  events: readonly NewEvent[];
  /** Invoices that were parked because their decision failed. */
  parked: readonly (DescribedFault & { invoiceId: bigint; currency: Currency })[];
};

/** A settlement without changes. */
export const NOTHING_SETTLED: Settled = { changed: [], reversed: [], donations: [], events: [], parked: [] };

/**
 * Decides the invoices from what is recorded now and writes everything that follows, in the caller's transaction: status and
 * version, counted payments, events with their deliveries, overlay donations, statistics, released addresses. Safe to repeat.
 */
export async function settleInvoices(
  context: WatcherContext,
  tx: TransactionSql,
  currency: Currency,
  ids: readonly bigint[],
): Promise<Settled> {
  const [chain, invoices, nowMs] = await Promise.all([
    // Read before the payments, so that everything read up to that state is among them.
    loadChain(tx, currency),
    lockUnsettledInvoices(tx, ids),
    transactionTime(tx),
  ]);
  if (invoices.length === 0 || !chain) return NOTHING_SETTLED;
  const believed = await withholdUnagreed(context, tx, currency, invoices);
  const verdicts = invoices.map((invoice) =>
    forInvoice(invoice, () => decide(context, invoice, believed.get(invoice.id) ?? [], chain, nowMs)),
  );
  await recheckDeadlines(
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

/** Publishes and logs the changes of a committed settlement. Never throws. */
export async function publishSettled({ store, logger }: WatcherContext, settled: Settled): Promise<void> {
  for (const publicId of settled.reversed) logger.warn({ publicId }, 'confirmed payment reversed');
  for (const { publicId, type, requestId } of settled.events)
    logger.debug({ event_id: publicId, type, request_id: requestId }, 'invoice outcome decided');
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

async function write(
  context: WatcherContext,
  tx: TransactionSql,
  verdicts: readonly Verdict[],
): Promise<Settled> {
  const changes = verdicts.map(({ change }) => change);
  const ended = verdicts
    .filter(({ invoice, change }) => isOpen(invoice.status) && change.hasOutcome)
    .map(({ invoice }) => invoice.id);
  const rates = await findConfirmationRates(tx, invoicesWithoutRate(verdicts));
  const shard = Math.floor(randomFraction() * STATS_SHARDS);
  await Promise.all([
    updateInvoices(tx, changes, rates),
    markCounted(tx, verdicts.flatMap(countedPayments)),
    releaseLeases(tx, ended),
    addToStats(tx, verdicts.flatMap(statsChanges), shard),
    addToFiatTotals(tx, fiatChanges(verdicts, rates), shard),
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

/**
 * Invoices that become confirmed now. Late or short payments, and a second block after a reorganisation, extend no
 * subscription.
 */
function confirmedInvoices({ invoice, decision }: Verdict): bigint[] {
  return decision.steps.some(({ event }) => event === 'invoice.confirmed') ? [invoice.id] : [];
}

function countedPayments({ invoice, decision }: Verdict): bigint[] {
  const counted = new Set(decision.steps.flatMap((step) => step.counted));
  return invoice.payments.filter((payment) => counted.has(outpointOf(payment))).map((payment) => payment.id);
}

/** Adds each confirmed transaction of a donation once, shown or held, in ascending order of project, as the overlay's lock requires. */
async function addDonations(tx: TransactionSql, verdicts: readonly Verdict[]): Promise<AddedDonation[]> {
  const news = verdicts.flatMap(donationsOf).toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1));
  const added: AddedDonation[] = [];
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
