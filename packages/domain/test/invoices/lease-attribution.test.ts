import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  attributePayment,
  BLOCK_MARGIN_MS,
  isOlderThanLease,
  LATE_PAYER_MS,
  MEMPOOL_MARGIN_MS,
} from '../../src/invoices/lease-attribution.ts';
import type { AddressLease, LeaseEvidence, PaymentEvidence } from '../../src/invoices/lease-attribution.ts';

const HOUR = 3_600_000;
const LEASED_AT = 1_000 * HOUR;

const lease: LeaseEvidence = { leasedAtMs: LEASED_AT, readCounter: 50n, tipHeight: 800 };
const byTimeAlone: LeaseEvidence = { leasedAtMs: LEASED_AT, readCounter: null, tipHeight: null };
const unknown: PaymentEvidence = { readCounter: null, mempoolTimeMs: null, block: null };
const inBlock = (height: number, timeMs = LEASED_AT): PaymentEvidence => ({
  ...unknown,
  block: { height, timeMs },
});
const inMempool = (mempoolTimeMs: number): PaymentEvidence => ({ ...unknown, mempoolTimeMs });

test('margins: node clocks two minutes, miner clocks two hours, late payers one day', () => {
  expect([MEMPOOL_MARGIN_MS, BLOCK_MARGIN_MS, LATE_PAYER_MS]).toEqual([120_000, 2 * HOUR, 24 * HOUR]);
});

describe('a payment is older than a lease', () => {
  test.each<[string, PaymentEvidence, LeaseEvidence, boolean]>([
    ['not where nothing is known of it', unknown, lease, false],
    ['where its transaction was recorded in a batch before', { ...unknown, readCounter: 49n }, lease, true],
    ['where it was recorded in the last batch before', { ...unknown, readCounter: 50n }, lease, true],
    ['not where it was recorded in the first batch after', { ...unknown, readCounter: 51n }, lease, false],
    ['not by counter where the lease has none', { ...unknown, readCounter: 0n }, byTimeAlone, false],
    ['where its block is an ancestor of the tip', inBlock(799), lease, true],
    ['where its block is the tip', inBlock(800), lease, true],
    ['not where its block is above the tip', inBlock(801), lease, false],
    ['not by height where the lease has no tip', inBlock(0), byTimeAlone, false],
    ['not within the margin of a mempool', inMempool(LEASED_AT - MEMPOOL_MARGIN_MS), lease, false],
    ['beyond the margin of a mempool', inMempool(LEASED_AT - MEMPOOL_MARGIN_MS - 1), lease, true],
    ['not within the margin of a block', inBlock(801, LEASED_AT - BLOCK_MARGIN_MS), lease, false],
    ['beyond the margin of a block', inBlock(801, LEASED_AT - BLOCK_MARGIN_MS - 1), lease, true],
    ['by time where the lease has nothing else', inMempool(LEASED_AT - 3 * HOUR), byTimeAlone, true],
    [
      'by one proof, whatever the others say',
      { readCounter: 60n, mempoolTimeMs: LEASED_AT + HOUR, block: { height: 800, timeMs: LEASED_AT } },
      lease,
      true,
    ],
  ])('%s', (_title, payment, of, isOlder) => {
    expect(isOlderThanLease(payment, of)).toBe(isOlder);
  });

  test("by its mempool time corrected by the node's clock skew", () => {
    const skewMs = 10 * 60_000;
    const behind = inMempool(LEASED_AT - skewMs);
    expect([isOlderThanLease(behind, lease), isOlderThanLease(behind, lease, -skewMs)]).toEqual([
      true,
      false,
    ]);
    const ahead = inMempool(LEASED_AT);
    expect([isOlderThanLease(ahead, lease), isOlderThanLease(ahead, lease, skewMs)]).toEqual([false, true]);
  });
});

const first: AddressLease = {
  invoiceId: 'first',
  leasedAtMs: 0,
  readCounter: 10n,
  tipHeight: 100,
  dueAmount: 5000n,
  deadlineMs: 1 * HOUR,
};
const second: AddressLease = {
  invoiceId: 'second',
  leasedAtMs: 3 * HOUR,
  readCounter: 20n,
  tipHeight: 200,
  dueAmount: 4000n,
  deadlineMs: 4 * HOUR,
};
const third: AddressLease = {
  invoiceId: 'third',
  leasedAtMs: 6 * HOUR,
  readCounter: 30n,
  tipHeight: 300,
  dueAmount: 3000n,
  deadlineMs: 7 * HOUR,
};
const all = [first, second, third];
const donation: AddressLease = { ...third, invoiceId: 'donation', dueAmount: null };

type Payment = Parameters<typeof attributePayment>[1];

/** Paid an hour into the third lease, of which no evidence says that it is older. */
const paid = (amount: bigint, over: Partial<Payment> = {}): Payment => ({
  ...unknown,
  firstSeenMs: 7 * HOUR,
  amount,
  ...over,
});

describe('a payment belongs to', () => {
  test.each<[string, AddressLease[], Payment, string | null]>([
    ['nobody where nobody held the address', [], paid(1n), null],
    ['nobody where it is older than the only lease', [first], paid(5000n, { readCounter: 10n }), null],
    ['nobody where it is older than every lease', all, paid(5000n, inBlock(100, 7 * HOUR)), null],
    ['the only holder, however long ago its deadline passed', [first], paid(1n), 'first'],
    [
      'a holder that took the address within the margin of a mempool after it',
      [first],
      paid(1n, { mempoolTimeMs: first.leasedAtMs - MEMPOOL_MARGIN_MS }),
      'first',
    ],
    ['the latest holder', all, paid(7n), 'third'],
    [
      'the latest holder that it is not older than, by counter',
      all,
      paid(7n, { readCounter: 30n }),
      'second',
    ],
    ['the latest holder that it is not older than, by block', all, paid(7n, inBlock(200, 7 * HOUR)), 'first'],
    ['never a later holder, whatever that one asks for', all, paid(3000n, { readCounter: 30n }), 'second'],
    ['the current holder where it is its due', all, paid(3000n), 'third'],
    [
      'the current holder where it may be a part of its due',
      [{ ...first, dueAmount: 7n }, third],
      paid(7n),
      'third',
    ],
    [
      'an earlier holder by its exact due, of which the current one cannot have asked',
      all,
      paid(4000n),
      'second',
    ],
    ['an earlier holder, though others came between', all, paid(5000n), 'first'],
    [
      'the latest of the earlier holders with that due',
      [{ ...first, dueAmount: 4000n }, second, third],
      paid(4000n),
      'second',
    ],
    ['the current holder where it is more or less than an earlier due', all, paid(4001n), 'third'],
    ['the current holder where that one names no amount', [first, donation], paid(5000n), 'donation'],
    [
      'never an earlier donation without an amount',
      [{ ...first, dueAmount: null }, third],
      paid(5000n),
      'third',
    ],
    [
      'an earlier holder until a day after its deadline',
      all,
      paid(4000n, { firstSeenMs: second.deadlineMs + LATE_PAYER_MS - 1 }),
      'second',
    ],
    [
      'the current holder from a day after the earlier deadline on',
      all,
      paid(4000n, { firstSeenMs: second.deadlineMs + LATE_PAYER_MS }),
      'third',
    ],
    [
      'an earlier holder where the current one has got what it asked for',
      [first, { ...third, dueAmount: 0n }],
      paid(5000n),
      'first',
    ],
    [
      'the current holder where that one has got too much and no earlier due fits',
      [first, { ...third, dueAmount: -5n }],
      paid(1n),
      'third',
    ],
  ])('%s', (_title, leases, payment, owner) => {
    expect(attributePayment(leases, payment)).toBe(owner);
    expect(attributePayment(leases.toReversed(), payment)).toBe(owner);
  });

  test("the right order if the node's clock is 90 s behind or counts whole seconds", () => {
    for (const behindMs of [90_000, 700]) {
      const timeMs = third.leasedAtMs + 300 - behindMs;
      const payment = paid(3000n, { mempoolTimeMs: timeMs, firstSeenMs: timeMs });
      expect(attributePayment(all, payment)).toBe('third');
    }
  });
});

const amount = fc.bigInt({ min: 1n, max: 6n });
const leaseArbitrary: fc.Arbitrary<Omit<AddressLease, 'invoiceId'>> = fc
  .record({
    leasedAtMs: fc.integer({ min: 0, max: 100 * HOUR }),
    hasEvidence: fc.boolean(),
    dueAmount: fc.option(amount),
  })
  .map(({ leasedAtMs, hasEvidence, dueAmount }) => ({
    leasedAtMs,
    // Counter and tip only grow, as they do.
    readCounter: hasEvidence ? BigInt(leasedAtMs) : null,
    tipHeight: hasEvidence ? Math.floor(leasedAtMs / 600_000) : null,
    dueAmount,
    deadlineMs: leasedAtMs + HOUR,
  }));
const leasesArbitrary: fc.Arbitrary<AddressLease[]> = fc
  .uniqueArray(leaseArbitrary, { maxLength: 5, selector: ({ leasedAtMs }) => leasedAtMs })
  .map((leases) => leases.map((each, index) => ({ ...each, invoiceId: `invoice ${index}` })));
const paymentArbitrary: fc.Arbitrary<Payment> = fc.record({
  readCounter: fc.option(fc.bigInt({ min: 0n, max: BigInt(100 * HOUR) })),
  mempoolTimeMs: fc.option(fc.integer({ min: 0, max: 100 * HOUR })),
  block: fc.option(
    fc.record({ height: fc.integer({ min: 0, max: 600 }), timeMs: fc.integer({ min: 0, max: 100 * HOUR }) }),
  ),
  firstSeenMs: fc.integer({ min: 0, max: 100 * HOUR }),
  amount,
});

describe('for any leases and evidence', () => {
  test('a payment is never assigned to a newer lease, but to an older one if there is one', () => {
    fc.assert(
      fc.property(leasesArbitrary, paymentArbitrary, (leases, payment) => {
        const owner = attributePayment(leases, payment);
        const younger = leases.filter((each) => !isOlderThanLease(payment, each));
        expect(owner === null).toBe(younger.length === 0);
        expect([null, ...younger.map(({ invoiceId }) => invoiceId)]).toContain(owner);
      }),
    );
  });

  test('a lease newer than the payment changes nothing', () => {
    fc.assert(
      fc.property(leasesArbitrary, paymentArbitrary, leaseArbitrary, (leases, payment, further) => {
        const later = { ...further, invoiceId: 'later', leasedAtMs: 200 * HOUR, readCounter: 10n ** 12n };
        const known = { ...payment, readCounter: payment.readCounter ?? 1n };
        expect(attributePayment([...leases, later], known)).toBe(attributePayment(leases, known));
      }),
    );
  });

  test('an earlier holder gets late money only if it is exactly its due, less than a day late, and more than the current due', () => {
    fc.assert(
      fc.property(leasesArbitrary, paymentArbitrary, (leases, payment) => {
        const [current, ...former] = leases
          .filter((each) => !isOlderThanLease(payment, each))
          .toSorted((a, b) => b.leasedAtMs - a.leasedAtMs);
        fc.pre(current !== undefined);
        const owner = attributePayment(leases, payment);
        const earlier = former.find(({ invoiceId }) => invoiceId === owner);
        const isMeant =
          earlier !== undefined &&
          earlier.dueAmount === payment.amount &&
          payment.firstSeenMs - earlier.deadlineMs < 24 * HOUR &&
          current.dueAmount !== null &&
          payment.amount > current.dueAmount;
        expect(owner === current.invoiceId || isMeant).toBe(true);
      }),
    );
  });

  test('more evidence never makes a payment younger', () => {
    fc.assert(
      fc.property(leaseArbitrary, paymentArbitrary, (each, payment) => {
        for (const kind of ['readCounter', 'mempoolTimeMs', 'block'] as const) {
          const wasOlder = isOlderThanLease({ ...payment, [kind]: null }, each);
          expect(isOlderThanLease(payment, each) || !wasOlder).toBe(true);
        }
      }),
    );
  });
});
