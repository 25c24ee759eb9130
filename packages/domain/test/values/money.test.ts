import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCoins, parseAmount, parseCoins } from '../../src/values/money.ts';
import { accepted, refusalOf } from './expect-checked.ts';

describe('an amount in minimal units', () => {
  test.each(['', '0', '-1', '+1', '01', '1.0', '1e3', ' 1', '1\n', '0x10', '١', '12345678901234567'])(
    'is refused when written as %j',
    (text) => {
      expect(refusalOf(parseAmount(text, 'BTC'))).toBe('malformed_amount');
    },
  );

  test('may be all the coins there can be, and not one unit more', () => {
    expect(accepted(parseAmount('2100000000000000', 'BTC'))).toBe(2_100_000_000_000_000n);
    expect(accepted(parseAmount('8400000000000000', 'LTC'))).toBe(8_400_000_000_000_000n);
    expect(refusalOf(parseAmount('2100000000000001', 'BTC'))).toBe('amount_above_maximum');
    expect(refusalOf(parseAmount('8400000000000001', 'LTC'))).toBe('amount_above_maximum');
  });

  test('may be the dust limit, and not one unit less', () => {
    expect(accepted(parseAmount('546', 'BTC'))).toBe(546n);
    expect(accepted(parseAmount('5460', 'LTC'))).toBe(5460n);
    expect(refusalOf(parseAmount('545', 'BTC'))).toBe('amount_below_dust_limit');
    expect(refusalOf(parseAmount('5459', 'LTC'))).toBe('amount_below_dust_limit');
  });
});

describe('an amount in coins', () => {
  test.each([
    [0n, '0'],
    [1n, '0.00000001'],
    [150_000n, '0.0015'],
    [100_000_000n, '1'],
    [110_000_000n, '1.1'],
    [8_400_000_000_000_000n, '84000000'],
    [2_099_999_999_999_999n, '20999999.99999999'],
  ])('writes %d minimal units as %s', (amount, text) => {
    expect(formatCoins(amount)).toBe(text);
  });

  test('is read back to the very same minimal units', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 8_400_000_000_000_000n }), (amount) => {
        expect(accepted(parseCoins(formatCoins(amount), 'LTC'))).toBe(amount);
      }),
    );
  });

  test('is read with or without trailing zeros', () => {
    expect(accepted(parseCoins('1.50000000', 'BTC'))).toBe(150_000_000n);
    expect(accepted(parseCoins('1.5', 'BTC'))).toBe(150_000_000n);
  });

  test.each(['', '.5', '5.', '-1', '1,5', '0.000000001', '1e-8', '01', '100000000', 'NaN'])(
    'is refused when written as %j',
    (text) => {
      expect(refusalOf(parseCoins(text, 'BTC'))).toBe('malformed_amount');
    },
  );

  test('may be all the coins there can be, and is refused above that', () => {
    expect(accepted(parseCoins('21000000', 'BTC'))).toBe(2_100_000_000_000_000n);
    expect(refusalOf(parseCoins('21000000.00000001', 'BTC'))).toBe('amount_above_maximum');
    expect(accepted(parseCoins('21000000.00000001', 'LTC'))).toBe(2_100_000_000_000_001n);
  });

  test('below zero is a programming error', () => {
    expect(() => formatCoins(-1n)).toThrow(RangeError);
  });
});
