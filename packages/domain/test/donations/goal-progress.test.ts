import { describe, expect, test } from 'vitest';
import { overlayGoalSchema, updateOverlaySourcesBodySchema } from '../../src/contract/index.ts';
import { goalProgress, worthIn } from '../../src/donations/index.ts';
import { parseRate, RATE_DECIMALS } from '../../src/prices/index.ts';

const rate = (text: string) => parseRate(text, RATE_DECIMALS) ?? 0n;
const rates = {
  EUR: { BTC: rate('80000'), LTC: rate('100.25') },
  JPY: { BTC: rate('12000000') },
};
const coin = 100_000_000n;

test.each([
  ['EUR', { BTC: coin, LTC: 2n * coin }, 8_020_050n],
  ['EUR', { BTC: 1n, LTC: 0n }, 0n],
  ['EUR', { BTC: 13n, LTC: 0n }, 1n],
  ['JPY', { BTC: coin / 2n, LTC: 0n }, 6_000_000n],
  ['JPY', { BTC: coin, LTC: 1n }, null],
  ['USD', { BTC: 1n, LTC: 0n }, null],
  ['USD', { BTC: 0n, LTC: 0n }, 0n],
  ['BTC', { BTC: coin, LTC: 800n * coin }, 200_250_000n],
  ['LTC', { BTC: coin, LTC: coin }, 79_900_498_753n],
] as const)('in %s, sums are worth what they are at the rates', (unit, sums, worth) => {
  expect(worthIn(unit, sums, rates)).toBe(worth);
});

test('without rates a goal in a coin counts that coin alone', () => {
  expect(worthIn('BTC', { BTC: 5n, LTC: coin }, {})).toBe(5n);
  expect(worthIn('LTC', { BTC: coin, LTC: 7n }, { JPY: { BTC: 1n } })).toBe(7n);
});

test('all coins there can be are counted exactly', () => {
  const all = { BTC: 21_000_000n * coin, LTC: 84_000_000n * coin };
  expect(worthIn('EUR', all, rates)).toBe(168_842_100_000_000n);
});

const goal = { title: '', unit: 'EUR', target: '500', since: null, added: '20.5' };

test('what the owner added counts, and stays known while the rest is not', () => {
  const reached = goalProgress(goal, { BTC: coin / 1000n, LTC: 0n }, rates);
  expect(reached).toEqual({ title: '', unit: 'EUR', target: '500.00', reached: '100.50' });
  expect(goalProgress(goal, { BTC: 1n, LTC: 0n }, {}).reached).toBeNull();
});

describe('the contract of a goal', () => {
  test.each([
    [{}],
    [{ unit: 'BTC', target: '0.00000001', added: '20999999.99999999' }],
    [{ unit: 'JPY', target: '500000', added: '1' }],
    [{ since: '2026-02-28' }],
  ])('accepts %j', (change) => {
    expect(overlayGoalSchema.safeParse({ ...goal, ...change }).error).toBeUndefined();
  });

  test.each([
    ['unit', 'XXZ'],
    ['unit', 'btc'],
    ['unit', ''],
    ['target', '0'],
    ['target', '0.000'],
    ['target', '-1'],
    ['target', '1e3'],
    ['target', '1.001'],
    ['target', '9999999999999'],
    ['added', '1.001'],
    ['added', ' 1'],
    ['since', '0000-01-01'],
    ['since', '2026-02-30'],
    ['since', '2026-02-03T00:00'],
    ['since', '9999-01-01'],
    ['title', 'x'.repeat(61)],
  ])('refuses %s %j', (field, value) => {
    const { error } = overlayGoalSchema.safeParse({ ...goal, [field]: value });
    expect(error?.issues.map(({ path }) => path[0])).toContain(field);
  });

  test('refuses more digits of a coin than there are', () => {
    for (const target of ['0.000000001', '100000000'])
      expect(overlayGoalSchema.safeParse({ ...goal, unit: 'BTC', target }).success).toBe(false);
  });

  test('keeps what is left out, and takes null for no goal', () => {
    expect(updateOverlaySourcesBodySchema.parse({})).toEqual({});
    expect(updateOverlaySourcesBodySchema.parse({ goal: null })).toEqual({ goal: null });
  });
});
