import { describe, expect, test } from 'vitest';
import { confirmationsRequired, parseConfirmationPolicy } from '../../src/invoices/confirmation-tiers.ts';

const COIN = 100_000_000n;
const defaults = parseConfirmationPolicy();

describe('by default', () => {
  test.each<['BTC' | 'LTC', bigint, number]>([
    ['BTC', 546n, 1],
    ['BTC', COIN / 100n - 1n, 1],
    ['BTC', COIN / 100n, 2],
    ['BTC', COIN - 1n, 2],
    ['BTC', COIN, 3],
    ['BTC', 10n * COIN - 1n, 3],
    ['BTC', 10n * COIN, 6],
    ['BTC', 21_000_000n * COIN, 6],
    ['LTC', 5460n, 2],
    ['LTC', COIN - 1n, 2],
    ['LTC', COIN, 6],
    ['LTC', 100n * COIN - 1n, 6],
    ['LTC', 100n * COIN, 12],
  ])('a %s order of %d minimal units needs %d', (currency, amount, confirmations) => {
    expect(confirmationsRequired(defaults, 'order', currency, amount)).toBe(confirmations);
  });

  test.each<['BTC' | 'LTC', bigint | null, number]>([
    ['BTC', null, 1],
    ['BTC', 1000n * COIN, 1],
    ['LTC', null, 2],
    ['LTC', 1000n * COIN, 2],
  ])('a %s donation that asks for %s needs %d', (currency, amount, confirmations) => {
    expect(confirmationsRequired(defaults, 'donation', currency, amount)).toBe(confirmations);
  });
});

test('a configured tier replaces its default only', () => {
  const policy = parseConfirmationPolicy({
    LTC: { orders: ' 0.5:1, *:4', donations: '3' },
    BTC: { donations: '2' },
  });
  expect(policy).toEqual({
    BTC: { ...defaults.BTC, donations: 2 },
    LTC: {
      orders: [
        { below: COIN / 2n, confirmations: 1 },
        { below: null, confirmations: 4 },
      ],
      donations: 3,
    },
  });
  expect(parseConfirmationPolicy({ BTC: { orders: undefined } })).toEqual(defaults);
});

test('a tier may begin at the smallest amount and require a day of blocks', () => {
  expect(parseConfirmationPolicy({ BTC: { orders: '0.00000001:1,*:144' } }).BTC.orders).toEqual([
    { below: 1n, confirmations: 1 },
    { below: null, confirmations: 144 },
  ]);
});

test.each([
  ['*:0', 'from 1 to 144'],
  ['0.01:0,*:6', 'from 1 to 144'],
  ['*:145', 'from 1 to 144'],
  ['*:1.5', 'from 1 to 144'],
  ['*:', 'from 1 to 144'],
  ['1:2', 'the last tier'],
  ['*:1,1:2', 'the last tier'],
  ['*:1,*:2', 'the last tier'],
  ['1:2,1:3,*:6', 'tiers must grow'],
  ['2:2,1:3,*:6', 'tiers must grow'],
  ['0:1,*:6', 'tiers must grow'],
  ['', 'below:confirmations'],
  ['1:2:3,*:6', 'below:confirmations'],
  ['1e3:2,*:6', '1e3'],
])('order tiers "%s" are refused with a reason', (orders, why) => {
  expect(() => parseConfirmationPolicy({ BTC: { orders } })).toThrow(why);
});

test.each(['0', '-1', '', '1,2', 'one'])('donation tiers "%s" are refused', (donations) => {
  expect(() => parseConfirmationPolicy({ LTC: { donations } })).toThrow(RangeError);
});

test('an order without an amount needs the confirmations of the highest tier', () => {
  expect(confirmationsRequired(defaults, 'order', 'BTC', null)).toBe(6);
  expect(confirmationsRequired(defaults, 'order', 'LTC', null)).toBe(12);
});

test('a policy that does not cover every amount throws', () => {
  const { BTC } = defaults;
  const broken = { ...defaults, BTC: { ...BTC, orders: BTC.orders.slice(0, 1) } };
  expect(() => confirmationsRequired(broken, 'order', 'BTC', COIN)).toThrow(RangeError);
});
