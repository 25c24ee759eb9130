import { describe, expect, it } from 'vitest';
import { coinText } from '../../src/money/amounts.ts';
import { coinDigits, groupDigits, unitText } from '../../src/money/digits.ts';

describe('amounts', () => {
  it.each([
    ['0', '0', '.00000000'],
    ['1', '0.00000001', ''],
    ['123400', '0.001234', '00'],
    ['100000000', '1', '.00000000'],
    ['250000000', '2.5', '0000000'],
    ['1000000000', '10', '.00000000'],
    ['2100000000000000', '21000000', '.00000000'],
    ['8400000000000001', '84000000.00000001', ''],
  ])('of %s minimal units are formatted with exactly eight decimals', (units, significant, zeros) => {
    expect(coinDigits(units)).toEqual({ significant, zeros });
  });

  it('above 2^53 stay exact', () => {
    expect(coinDigits('9007199254740993').significant).toBe('90071992.54740993');
    expect(coinText('9007199254740993', 'LTC')).toBe('90071992.54740993\u00a0LTC');
  });

  it('are grouped by language, in German by spaces instead of dots', () => {
    expect(groupDigits('123400', 'en')).toBe('123,400');
    expect(groupDigits('2100000000000000', 'de')).toBe('2\u202f100\u202f000\u202f000\u202f000\u202f000');
    expect(groupDigits('999', 'en')).toBe('999');
  });

  it('in minimal units include the name of the unit', () => {
    expect(unitText('123400', 'BTC', 'en')).toBe('123,400\u00a0sat');
    expect(unitText('5460', 'LTC', 'en')).toBe('5,460\u00a0litoshi');
  });
});
