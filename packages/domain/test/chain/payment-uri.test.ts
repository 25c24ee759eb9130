import { expect, test } from 'vitest';
import { paymentUri } from '../../src/chain/payment-uri.ts';

const address = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';

test('a payment URI asks for the amount in coins, without trailing zeros', () => {
  expect(paymentUri({ currency: 'BTC', address, amount: 2_030_000_000n })).toBe(
    `bitcoin:${address}?amount=20.3`,
  );
  expect(paymentUri({ currency: 'BTC', address, amount: 1n })).toBe(`bitcoin:${address}?amount=0.00000001`);
});

test('a payment URI of Litecoin has its own scheme', () => {
  expect(paymentUri({ currency: 'LTC', address: 'ltc1x', amount: 100_000_000n })).toBe(
    'litecoin:ltc1x?amount=1',
  );
});

test('a payment URI without an amount leaves it to the payer', () => {
  expect(paymentUri({ currency: 'BTC', address, amount: null })).toBe(`bitcoin:${address}`);
});

test('a label cannot inject another field into a payment URI', () => {
  const label = 'Tea & Co?amount=9#\ud800';
  const uri = new URL(paymentUri({ currency: 'BTC', address, amount: 5000n, label }));
  expect([...uri.searchParams]).toEqual([
    ['amount', '0.00005'],
    ['label', 'Tea & Co?amount=9#\ufffd'],
  ]);
});
