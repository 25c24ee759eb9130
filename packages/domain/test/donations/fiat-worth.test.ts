import { parseRate } from '@paywatch/domain/prices';
import { describe, expect, test } from 'vitest';
import { fiatWorth } from '../../src/donations/index.ts';

const rate = (value: string, currency: string) => ({ value: parseRate(value) ?? 0n, currency });

describe('the worth of a donation', () => {
  test.each([
    [50_000n, 'BTC', rate('87416.72', 'EUR'), { amount: '43.70', currency: 'EUR' }],
    [100_000_000n, 'LTC', rate('81.005', 'USD'), { amount: '81.00', currency: 'USD' }],
    [50_000n, 'BTC', rate('13500000', 'JPY'), { amount: '6750', currency: 'JPY' }],
    [2_100_000_000_000_000n, 'BTC', rate('100000', 'EUR'), { amount: '2100000000000.00', currency: 'EUR' }],
  ] as const)('of %i %s is exact, rounded down to the smallest part', (amount, currency, at, worth) => {
    expect(fiatWorth(amount, currency, at)).toEqual(worth);
  });

  test('is unknown below one cent', () => {
    expect(fiatWorth(1n, 'BTC', rate('87416.72', 'EUR'))).toBeNull();
    expect(fiatWorth(12n, 'BTC', rate('87416.72', 'EUR'))).toEqual({ amount: '0.01', currency: 'EUR' });
  });
});
