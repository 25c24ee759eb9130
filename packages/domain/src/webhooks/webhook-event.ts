import type { InvoiceView, PaymentView } from '../contract/resources/invoices/invoices.ts';
import type { EventType, InvoiceStatus } from '../contract/fields/primitives.ts';
import { API_VERSION } from '../contract/resources/webhooks/webhooks.ts';
import type { EventBody } from '../contract/resources/webhooks/webhooks.ts';
import { timestamp } from '../invoices/invoice-view.ts';

/** The content of an event. */
export type EventContent = {
  id: string;
  type: EventType;
  /** Epoch milliseconds. */
  createdAtMs: number;
  /** The invoice after the step that caused the event. */
  invoice: InvoiceView;
  /** Its status before that step. */
  previousStatus: InvoiceStatus;
  /** For a late payment: the outputs of its transaction. Absent in every other event. */
  payments?: readonly PaymentView[] | undefined;
  /** A test event, sent on request; no money moved. */
  isTest?: boolean | undefined;
};

/**
 * Writes the raw body of an event. It is stored once and sent byte by byte on every attempt, because receivers verify the
 * bytes; so an event must never be built twice.
 */
export function buildEventBody(event: EventContent): string {
  const body: EventBody = {
    id: event.id,
    type: event.type,
    api_version: API_VERSION,
    created_at: timestamp(event.createdAtMs),
    ...(event.isTest === true && { test: true }),
    data: {
      invoice: event.invoice,
      previous_status: event.previousStatus,
      ...(event.type === 'invoice.late_payment' && { payments: [...(event.payments ?? [])] }),
    },
  };
  return JSON.stringify(body);
}

/** The body of an event without the name and the message of the donor; the rest stays as it is. */
export function removeDonorTexts(body: string): string {
  const event = JSON.parse(body) as EventBody;
  const invoice = { ...event.data.invoice, donor_name: null, donor_message: null };
  return JSON.stringify({ ...event, data: { ...event.data, invoice } });
}
