import type { EventType } from '@paywatch/domain/contract';

/** Every kind of event, in the order in which they are offered. */
export const EVENT_TYPES: readonly EventType[] = [
  'invoice.confirmed',
  'invoice.underpaid',
  'invoice.expired',
  'invoice.late_payment',
];
