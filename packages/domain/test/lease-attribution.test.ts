import { describe, expect, test } from 'vitest';
import { attributePayment } from '../src/lease-attribution.ts';
import type { AddressLease } from '../src/lease-attribution.ts';

const first: AddressLease = { invoiceId: 'first', leasedAtMs: 100, releasedAtMs: 200, dueAmount: 1000n };
const second: AddressLease = { invoiceId: 'second', leasedAtMs: 300, releasedAtMs: 400, dueAmount: 2000n };
const third: AddressLease = { invoiceId: 'third', leasedAtMs: 500, releasedAtMs: null, dueAmount: 3000n };
const donation: AddressLease = { ...third, invoiceId: 'donation', dueAmount: null };

type Row = [title: string, leases: AddressLease[], firstSeenMs: number, amount: bigint, owner: string | null];

describe('a payment belongs to', () => {
  test.each<Row>([
    ['nobody where nobody held the address', [], 150, 1n, null],
    ['the only holder while it holds', [first], 150, 1n, 'first'],
    ['the only holder after it let go', [first], 999, 1n, 'first'],
    ['the only holder even when dated before its lease', [first], 50, 1n, 'first'],
    ['the holder of that moment', [first, second, third], 150, 7n, 'first'],
    ['the holder of that moment, not a later one', [first, second, third], 350, 7n, 'second'],
    [
      'the holder of that moment though a later one asks for that amount',
      [first, second, third],
      350,
      3000n,
      'second',
    ],
    ['the holder from the first moment of its lease', [first, second], 300, 7n, 'second'],
    ['the latest holder before, between two leases', [first, second, third], 250, 7n, 'first'],
    ['the latest holder before, from the moment of release', [first, second, third], 400, 7n, 'second'],
    [
      'the latest holder before, whatever an earlier one asked for',
      [first, second, third],
      450,
      1000n,
      'second',
    ],
    ['the first holder when dated before every lease', [first, second], 50, 2000n, 'first'],
    ['an earlier holder by its exact amount', [first, second, third], 550, 1000n, 'first'],
    [
      'the latest of the earlier holders with that amount',
      [first, { ...second, dueAmount: 1000n }, third],
      550,
      1000n,
      'second',
    ],
    [
      'the holder of that moment when both ask for that amount',
      [first, { ...third, dueAmount: 1000n }],
      550,
      1000n,
      'third',
    ],
    [
      'an earlier holder by its exact amount, where a donation holds now',
      [first, donation],
      550,
      1000n,
      'first',
    ],
    ['a donation by every other amount', [first, donation], 550, 999n, 'donation'],
    ['never an earlier donation by amount', [{ ...first, dueAmount: null }, third], 550, 1n, 'third'],
  ])('%s', (_title, leases, firstSeenMs, amount, owner) => {
    expect(attributePayment(leases, { firstSeenMs, amount })).toBe(owner);
    expect(attributePayment(leases.toReversed(), { firstSeenMs, amount })).toBe(owner);
  });
});
