import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fiatDecimals, formatFiat, isFiatCurrency, parseFiat } from '../../src/contract/fields/fiat.ts';
import { formatRate, parseRate, priceInCoins, RATE_DECIMALS } from '../../src/prices/index.ts';

const rateOf = (text: string): bigint => {
  const rate = parseRate(text);
  if (rate === null) throw new Error(`${text} is no rate`);
  return rate;
};

describe('a price in coins', () => {
  test.each([
    // 19.99 / 87,412.35 = 0.000228686… BTC
    ['19.99', 'EUR', '87412.35', 0, 22_869n],
    ['87412.35', 'EUR', '87412.35', 0, 100_000_000n],
    ['100', 'EUR', '50000', 100, 202_000n],
    ['0.01', 'EUR', '100000', 0, 10n],
    ['0.01', 'EUR', '100000.0000000001', 0, 10n],
    ['1', 'EUR', '3', 0, 33_333_334n],
    ['1500', 'JPY', '15000000', 0, 10_000n],
    ['1.001', 'KWD', '30000', 0, 3337n],
  ])('%s %s at %s with %d basis points is %d minimal units', (amount, currency, rate, margin, expected) => {
    const units = parseFiat(amount, currency) ?? -1n;
    expect(priceInCoins({ amount: units, currency }, rateOf(rate), margin)).toBe(expected);
  });

  test('is worth at least the price with its margin at that rate, and less than one minimal unit more', () => {
    const decimals = 10n ** BigInt(RATE_DECIMALS);
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 15n),
        fc.constantFrom('EUR', 'USD', 'JPY', 'KWD'),
        fc.bigInt(1n, 10n ** 24n),
        fc.integer({ min: 0, max: 10_000 }),
        (amount, currency, rate, margin) => {
          const coins = priceInCoins({ amount, currency }, rate, margin);
          // Both sides in the smallest unit of the currency, times every denominator.
          const scale = 10n ** BigInt(fiatDecimals(currency));
          const worth = (units: bigint) => units * rate * scale * 10_000n;
          const asked = amount * BigInt(10_000 + margin) * decimals * 100_000_000n;
          expect(worth(coins) >= asked && worth(coins - 1n) < asked).toBe(true);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('is refused at a rate that is not above zero', () => {
    expect(() => priceInCoins({ amount: 1n, currency: 'EUR' }, 0n, 0)).toThrow(RangeError);
  });
});

describe('an amount of a currency', () => {
  test.each([
    ['19.99', 'EUR', 1999n],
    ['20', 'EUR', 2000n],
    ['19.9', 'EUR', 1990n],
    ['0', 'EUR', 0n],
    ['1500', 'JPY', 1500n],
    ['1.234', 'KWD', 1234n],
    ['19.999', 'EUR', null],
    ['1.5', 'JPY', null],
    ['-1', 'EUR', null],
    ['1e3', 'EUR', null],
    ['1,5', 'EUR', null],
    ['01', 'EUR', null],
    ['.5', 'EUR', null],
    ['5.', 'EUR', null],
    ['', 'EUR', null],
  ])('%j %s is %s', (text, currency, units) => {
    expect(parseFiat(text, currency)).toBe(units);
  });

  test('is written with all decimals of its currency, as it is parsed', () => {
    expect(formatFiat(1990n, 'EUR')).toBe('19.90');
    expect(formatFiat(5n, 'EUR')).toBe('0.05');
    expect(formatFiat(1500n, 'JPY')).toBe('1500');
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 20n), fc.constantFrom('EUR', 'JPY', 'KWD'), (units, currency) => {
        expect(parseFiat(formatFiat(units, currency), currency)).toBe(units);
      }),
    );
  });

  test('has a currency of ISO 4217; coins and dollar tokens have none', () => {
    expect(['EUR', 'USD', 'JPY', 'GBP'].every(isFiatCurrency)).toBe(true);
    expect(['BTC', 'LTC', 'XBT', 'USDT', 'USDC', 'eur', 'EURO', ''].some(isFiatCurrency)).toBe(false);
  });
});

describe('the value of a rate', () => {
  test.each([
    '0',
    '0.0',
    '-1',
    '+1',
    '1e5',
    'NaN',
    'Infinity',
    '',
    ' 1',
    '1\n',
    '1,5',
    '0x10',
    '.5',
    '01',
    '1.12345678901',
  ])('is refused when written as %j', (text) => {
    expect(parseRate(text)).toBeNull();
  });

  test('is written without trailing zeros, as it is parsed', () => {
    expect(formatRate(rateOf('87412.3500'))).toBe('87412.35');
    expect(formatRate(rateOf('100'))).toBe('100');
    expect(formatRate(1n)).toBe('0.000000000001');
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 26n), (value) => {
        expect(parseRate(formatRate(value), RATE_DECIMALS)).toBe(value);
      }),
    );
  });
});
