import { addressToScript } from '@paywatch/domain/chain';
import { expect, test } from 'vitest';
import { searchFor } from '../../src/invoices/invoice-search.ts';

const CONFIG = {
  networks: { BTC: 'mainnet', LTC: 'mainnet' },
  env: { RATE_CURRENCIES: ['EUR', 'JPY'] },
} as unknown as Parameters<typeof searchFor>[0];

const INVOICE = 'inv_8yXq3mJ2NdPz5KcVh7RtWb';
const SEGWIT = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const LITECOIN = 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1';

test('a whole identifier is looked up', () => {
  expect(searchFor(CONFIG, INVOICE)).toEqual({ by: 'public_id', publicId: INVOICE });
  expect(searchFor(CONFIG, 'AB'.repeat(32))).toEqual({ by: 'txid', txid: 'ab'.repeat(32) });
  for (const [address, currency] of [
    [SEGWIT, 'BTC'],
    [SEGWIT.toUpperCase(), 'BTC'],
    [LITECOIN, 'LTC'],
  ] as const) {
    const script = addressToScript(address, currency, 'mainnet');
    expect(script.ok).toBe(true);
    expect(searchFor(CONFIG, address)).toEqual({ by: 'script', script: script.ok ? script.value : null });
  }
});

test('a part of one, or an address of another network, is text', () => {
  for (const text of [INVOICE.slice(0, 12), 'ab'.repeat(20), SEGWIT.slice(0, 20), 'order 17']) {
    expect(searchFor(CONFIG, text)).toMatchObject({ by: 'text', text, amounts: [], prices: [] });
  }
  const testnet = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
  expect(searchFor(CONFIG, testnet)).toMatchObject({ by: 'text' });
});

test('a number is an amount in coins, and a price in every currency whose decimals fit', () => {
  expect(searchFor(CONFIG, '19.99')).toMatchObject({
    amounts: [1_999_000_000n],
    prices: [{ currency: 'EUR', amount: 1999n }],
  });
  expect(searchFor(CONFIG, '1999')).toMatchObject({
    prices: [
      { currency: 'EUR', amount: 199_900n },
      { currency: 'JPY', amount: 1999n },
    ],
  });
  expect(searchFor(CONFIG, '0')).toMatchObject({ amounts: [] });
});

test('a number that no column holds matches nothing, and fails nothing', () => {
  expect(searchFor(CONFIG, '9'.repeat(100))).toMatchObject({ amounts: [], prices: [] });
});
