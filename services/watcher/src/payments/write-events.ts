import { type StatusStep, buildOwnerView, outpointOf } from '@paywatch/domain/invoices';
import { publicId } from '@paywatch/domain/values';
import { buildEventBody } from '@paywatch/domain/webhooks';
import { secureRandomBytes } from '@paywatch/runtime/security';
import {
  type StoredSnapshot,
  type UnsettledInvoice,
  forInvoice,
  loadSnapshotsById,
} from '@paywatch/store/invoices';
import type { TransactionSql } from '@paywatch/store/postgres';
import { type NewEvent, insertEvents } from '@paywatch/store/webhooks';
import type { WatcherContext } from '../context.ts';
import type { Verdict } from './decide-invoice.ts';

/**
 * Writes the events of decisions. Bodies show the invoice after each step, so they are built from what was just written and
 * from the facts of the decision: a block may have left the best chain since.
 */
export async function writeEvents(
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
  if (!step.event) throw new Error(`invoice ${invoice.publicId}: a status step without an event`);
  const eventId = publicId('evt_', secureRandomBytes(16));
  const view = buildOwnerView(snapshot);
  const body = buildEventBody({
    id: eventId,
    type: step.event,
    createdAtMs: snapshot.nowMs,
    invoice: view,
    previousStatus: step.from,
    payments: view.payments.filter((payment) => step.counted.includes(outpointOf(payment))),
  });
  return {
    publicId: eventId,
    projectId: invoice.projectId,
    invoiceId: invoice.id,
    type: step.event,
    txid: step.txid,
    body,
    requestId: invoice.requestId,
  };
}
