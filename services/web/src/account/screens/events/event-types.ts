import type { EventType } from '@paywatch/domain/contract';

/** All event types in display order. */
export const EVENT_TYPES: readonly EventType[] = [
  'invoice.confirmed',
  'invoice.underpaid',
  'invoice.expired',
  'invoice.late_payment',
];
