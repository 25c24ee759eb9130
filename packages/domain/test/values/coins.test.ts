import { expect, test } from 'vitest';
import { COINS, CURRENCIES } from '../../src/values/coins.ts';

test('coins have the names and units of the specification', () => {
  const named = CURRENCIES.map((currency) => {
    const { name, minimalUnit, feeUnit } = COINS[currency];
    return [currency, name, minimalUnit, feeUnit];
  });
  expect(named).toEqual([
    ['BTC', 'Bitcoin', 'sat', 'sat/vB'],
    ['LTC', 'Litecoin', 'litoshi', 'litoshi/vB'],
  ]);
});
