import { expect, test } from 'vitest';
import { checkLeases, type Acknowledged, type StoredLease } from './check-leases.ts';

const answer = (change: Partial<Acknowledged> = {}): Acknowledged => ({
  orderId: 'order-1',
  publicId: 'inv_1',
  address: 'a',
  answeredAtMs: 1000,
  endedAtMs: 5000,
  ...change,
});
const lease = (change: Partial<StoredLease> = {}): StoredLease => ({
  publicId: 'inv_1',
  address: 'a',
  index: 1,
  leasedAtMs: 900,
  releasedAtMs: 6000,
  ...change,
});
const second = { orderId: 'order-2', publicId: 'inv_2' };
const clean = {
  sharedByAnswers: 0,
  sharedInPostgres: 0,
  missing: 0,
  ordersTwice: 0,
  unrested: 0,
  beyondGap: 0,
};
const cases: [string, Acknowledged[], StoredLease[], object][] = [
  [
    'an address that was leased, quarantined and leased again',
    [answer(), answer({ ...second, answeredAtMs: 8100 })],
    [lease(), lease({ ...second, leasedAtMs: 8000 })],
    clean,
  ],
  ['a missing response', [], [lease()], clean],
  ['a missing acknowledged invoice', [answer()], [], { ...clean, missing: 1 }],
  [
    'an acknowledged invoice with another address',
    [answer()],
    [lease({ address: 'b' })],
    { ...clean, missing: 1 },
  ],
  [
    'two open invoices with one address, in responses',
    [answer(), answer({ ...second, answeredAtMs: 4000 })],
    [lease(), lease({ ...second, address: 'b' })],
    { ...clean, sharedByAnswers: 1, missing: 1 },
  ],
  [
    'two open invoices with one address, in Postgres',
    [],
    [lease(), lease({ ...second, leasedAtMs: 5999 })],
    { ...clean, sharedInPostgres: 1 },
  ],
  [
    'a lease that has not ended',
    [],
    [lease({ releasedAtMs: null }), lease({ ...second, leasedAtMs: 900_000 })],
    { ...clean, sharedInPostgres: 1 },
  ],
  [
    'a long lease that overlaps a short one',
    [],
    [
      lease({ releasedAtMs: 90_000 }),
      lease({ ...second, leasedAtMs: 2000, releasedAtMs: 3000 }),
      lease({ publicId: 'inv_3', leasedAtMs: 50_000 }),
    ],
    { ...clean, sharedInPostgres: 2 },
  ],
  [
    'an address without quarantine, in Postgres',
    [],
    [lease(), lease({ ...second, leasedAtMs: 7999 })],
    { ...clean, unrested: 1 },
  ],
  [
    'an address without quarantine, in responses',
    [answer(), answer({ ...second, answeredAtMs: 6999 })],
    [lease(), lease({ ...second, leasedAtMs: 8000 })],
    { ...clean, unrested: 1 },
  ],
  [
    'an order with two invoices',
    [answer(), answer({ publicId: 'inv_2', address: 'b' })],
    [lease(), lease({ ...second, address: 'b' })],
    { ...clean, ordersTwice: 1 },
  ],
  ['the verification address', [], [lease({ index: 0 })], { ...clean, beyondGap: 1 }],
  ['an index beyond the gap limit', [], [lease({ index: 1000 })], { ...clean, beyondGap: 1 }],
];

test.each(cases)('the lease checker counts %s', (_title, acknowledged, stored, counts) => {
  expect(checkLeases(acknowledged, stored, { quarantineMs: 2000, gapLimit: 1000 })).toEqual(counts);
});
