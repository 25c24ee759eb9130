import { expect, test } from 'vitest';
import { checkDeliveries, type Arrival } from './check-deliveries.ts';

const arrival = (change: Partial<Arrival> = {}): Arrival => ({
  outcome: 'inv_1 invoice.expired',
  eventId: 'evt_1',
  bodyHash: 'a',
  isTaken: true,
  ...change,
});
const caused = new Set(['inv_1 invoice.expired']);
const clean = { missing: 0, uncaused: 0, twoEventIds: 0, twoBodies: 0, repeated: 0 };

test.each([
  ['each outcome once', [arrival()], clean],
  ['an outcome that never came', [], { ...clean, missing: 1 }],
  ['an outcome that was always rejected', [arrival({ isTaken: false })], { ...clean, missing: 1 }],
  ['a retry after a rejection', [arrival({ isTaken: false }), arrival()], clean],
  ['a repetition after it was accepted', [arrival(), arrival()], { ...clean, repeated: 1 }],
  ['two event ids for one outcome', [arrival(), arrival({ eventId: 'evt_2' })], { ...clean, twoEventIds: 1 }],
  [
    'a rejected body that differs',
    [arrival({ isTaken: false, bodyHash: 'b' }), arrival()],
    { ...clean, twoBodies: 1 },
  ],
  [
    'an outcome that nobody caused',
    [arrival(), arrival({ outcome: 'inv_2 invoice.expired', eventId: 'evt_2' })],
    { ...clean, uncaused: 1 },
  ],
])('the delivery checker counts %s', (_title, arrivals, counts) => {
  expect(checkDeliveries(caused, arrivals)).toEqual(counts);
});
