import { describe, expect, it } from 'vitest';
import { decimalsOf, isAboveZero, keyOf, pressKey } from '../../src/pos/keypad/keypad-amount.ts';

function type(keys: string, decimals: number): string {
  return keys
    .split('')
    .reduce((amount, name) => pressKey(amount, name === '<' ? 'back' : keyOf(name)!, decimals), '');
}

describe('the keypad', () => {
  it.each([
    ['12.50', 2, '12.50'],
    ['12.505', 2, '12.50'],
    ['1.2.3', 2, '1.23'],
    ['.5', 2, '0.5'],
    ['007', 2, '7'],
    ['0.00012345', 8, '0.00012345'],
    ['1500.5', 0, '15005'],
    ['12<<', 2, ''],
    ['<1', 2, '1'],
    ['12345678901', 2, '123456789'],
  ])('types %s with %i decimals as %s', (keys, decimals, amount) => {
    expect(type(keys, decimals)).toBe(amount);
  });

  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
    [null, 8],
  ])('knows the decimals of %s', (currency, decimals) => {
    expect(decimalsOf(currency)).toBe(decimals);
  });

  it('takes digits, both decimal signs and Backspace of a keyboard, and nothing else', () => {
    expect(['5', '.', ',', 'Backspace', 'a', 'Enter', '½'].map(keyOf)).toEqual([
      '5',
      'point',
      'point',
      'back',
      null,
      null,
      null,
    ]);
  });

  it('charges nothing without an amount', () => {
    expect(['', '0', '0.', '0.00', '0.01', '7'].map(isAboveZero)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
  });
});
