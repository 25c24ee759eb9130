import { assert, bigInt, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { fiatDecimals } from '@paywatch/domain/fiat';
import { coinsInFiat, parseRate } from '@paywatch/domain/prices';

test.each([
  [123_400n, '87412.3525', 'EUR', 10_786n],
  [1n, '87412.3525', 'EUR', 0n],
  [100_000_000n, '0.0000000001', 'EUR', 0n],
  [2_100_000_000_000_000n, '99999999.99', 'JPY', 2_099_999_999_790_000n],
  [100_000_000n, '30123.4567', 'KWD', 30_123_456n],
])(
  '%s minimal units at %s %s are worth %s of its smallest units, rounded down',
  (amount, rate, currency, worth) => {
    expect(coinsInFiat(amount, { value: parseRate(rate) ?? 0n, currency })).toBe(worth);
  },
);

test('for any amount and rate, the worth is exact and less than one smallest unit below it', () => {
  const amount = bigInt({ min: 0n, max: 2_100_000_000_000_000n });
  const rate = bigInt({ min: 1n, max: 10n ** 24n });
  assert(
    property(amount, rate, constantFrom('EUR', 'JPY', 'KWD'), (units, value, currency) => {
      const scale = 10n ** BigInt(20 - fiatDecimals(currency));
      const worth = coinsInFiat(units, { value, currency });
      expect(worth * scale <= units * value && units * value < (worth + 1n) * scale).toBe(true);
    }),
  );
});
