import type { EventView, InvoiceView } from '@paywatch/domain/contract';
import { coinText } from '../../../money/amounts.ts';
import { isolated } from '../../../ui/isolated.ts';
import type { AccountTexts } from '../../account-en.ts';

/** One entry of an invoice's timeline. */
export type TimelineEntry = {
  readonly at: string;
  readonly text: string;
  readonly tone: 'calm' | 'waiting' | 'done' | 'act';
  /** The event that the entry links to, if any. */
  readonly eventId: string | null;
};

/** Builds the timeline of an invoice from its fields and events, oldest first. Pure. */
export function timelineOf(
  invoice: InvoiceView,
  events: readonly EventView[],
  texts: AccountTexts,
  nowMs: number,
): TimelineEntry[] {
  const entries = [
    { at: invoice.created_at, text: texts.invoice.entries.created, tone: 'calm', eventId: null } as const,
    ...paymentEntries(invoice, texts),
    ...events.map((event) => eventEntry(event, texts)),
    ...deadlineEntry(invoice, texts, nowMs),
  ];
  return entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function paymentEntries(
  { payments, currency }: InvoiceView,
  { invoice: { entries } }: AccountTexts,
): TimelineEntry[] {
  return payments.map(({ first_seen_at: at, amount, status, late }) => {
    const coins = isolated(coinText(amount, currency));
    if (status === 'void') return { at, text: entries.void(coins), tone: 'act', eventId: null };
    return late
      ? { at, text: entries.seenLate(coins), tone: 'act', eventId: null }
      : { at, text: entries.seen(coins), tone: 'waiting', eventId: null };
  });
}

const EVENT_TONES = {
  'invoice.confirmed': 'done',
  'invoice.expired': 'calm',
  'invoice.underpaid': 'act',
  'invoice.late_payment': 'act',
} as const;

function eventEntry({ id, type, created_at: at }: EventView, texts: AccountTexts): TimelineEntry {
  return { at, text: texts.events[type], tone: EVENT_TONES[type], eventId: id };
}

/** The payment deadline; left out for a confirmed invoice. */
function deadlineEntry(
  invoice: InvoiceView,
  { invoice: { entries } }: AccountTexts,
  nowMs: number,
): TimelineEntry[] {
  if (invoice.status === 'confirmed') return [];
  const isPast = Date.parse(invoice.expires_at) <= nowMs;
  return [
    { at: invoice.expires_at, text: isPast ? entries.expired : entries.expires, tone: 'calm', eventId: null },
  ];
}
