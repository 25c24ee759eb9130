import { createMerchantWallet } from '@paywatch/dev/wallet';
import { describe, expect, test } from 'vitest';
import { caseWith, invoice } from '../../chain-case.fixture.ts';
import { compareTerms, type Sale } from './compare-terms.ts';
import type { OwnerView } from '../../../lease/owner-view.ts';
import { specAddresses } from '../../../spec/spec-addresses.ts';
import {
  expiryOf,
  extendedExpiry,
  isFullAmount,
  ORDER_TIERS_SETTING,
  paymentUriOf,
  requiredConfirmations,
} from '../../../spec/spec-terms.ts';

const { sale } = caseWith();
const CREATED_MS = Date.parse(invoice.created_at);

describe('the terms of an invoice', () => {
  test('are right where all is as asked for', () => {
    expect(compareTerms(sale, invoice)).toEqual([]);
  });

  test.each<[string, Partial<OwnerView>, RegExp]>([
    ['public_id', { public_id: `inv_${'m'.repeat(22)}` }, /public_id/],
    ['type', { type: 'donation' }, /type donation, right is order/],
    ['currency', { currency: 'LTC' }, /currency LTC/],
    ['address', { address: sale.addresses.addressAt(5) }, /address bcrt1/],
    [
      'address_index',
      { address_index: 5, address: sale.addresses.addressAt(5) },
      /address_index 5, right is 4/,
    ],
    ['address_reused', { address_reused: true }, /address_reused true, right is false/],
    ['expected_amount', { expected_amount: '1001' }, /expected_amount 1001/],
    ['confirmations_required', { confirmations_required: 2 }, /confirmations_required 2, right is 1/],
    ['order_id', { order_id: 'order 8' }, /order_id/],
    ['donor_name', { donor_name: 'Ann' }, /donor_name Ann/],
    ['donor_message', { donor_message: 'hi' }, /donor_message hi/],
    ['return_url', { return_url: null }, /return_url null/],
    ['pay_url', { pay_url: 'https://pay.example/pay/other' }, /pay_url/],
    ['created_at that moves', { created_at: '2026-05-01T12:00:00.001Z' }, /created_at/],
    [
      'expires_at',
      { expires_at: '2026-05-01T12:01:30.001Z' },
      /expires_at .*right is 2026-05-01T12:01:30.000Z/,
    ],
    ['extended', { extended: true }, /nobody has extended it/],
    ['description', { description: 'Order 8' }, /description Order 8, right is Order 7/],
    ['lines', { lines: [] }, /lines \[\], right is \[{"name":"Tea"/],
    ['renew_url', { renew_url: null }, /renew_url null, right is https/],
    ['ttl_seconds', { ttl_seconds: 91 }, /ttl_seconds 91, right is 90/],
  ])('report a wrong %s', (_title, change, difference) => {
    expect(compareTerms(sale, { ...invoice, ...change }).join('\n')).toMatch(difference);
  });

  test('report a creation that lies outside of the request', () => {
    const early = { ...sale, requestedMs: CREATED_MS + 5000, answeredMs: CREATED_MS + 6000 };
    expect(compareTerms(early, invoice).join()).toMatch(/not between the request and its answer/);
  });

  test('of an imported order end when its file said', () => {
    const expiresMs = CREATED_MS + 80_000;
    const imported: Sale = { ...sale, imported: { createdMs: CREATED_MS - 10_000, expiresMs } };
    expect(compareTerms(imported, { ...invoice, expires_at: '2026-05-01T12:01:20.000Z' })).toEqual([]);
    expect(compareTerms(imported, invoice).join()).toMatch(/expires_at .*right is 2026-05-01T12:01:20.000Z/);
  });

  test('follow an extension, in views from before and after it', () => {
    const extension = { requestedMs: CREATED_MS + 10_000, answeredMs: CREATED_MS + 10_100 };
    const extended: Sale = { ...sale, extension };
    const after = { ...invoice, extended: true, expires_at: '2026-05-01T12:16:30.000Z' };
    expect(compareTerms(extended, invoice)).toEqual([]);
    expect(compareTerms(extended, after)).toEqual([]);
    const wrong = { ...after, expires_at: '2026-05-01T12:15:10.000Z' };
    expect(compareTerms(extended, wrong).join()).toMatch(/after the extension/);
  });
});

describe('the specification, written a second time', () => {
  test('asks for confirmations by amount', () => {
    expect(ORDER_TIERS_SETTING).toBe('0.001:1,0.01:2,*:3');
    const amounts = [99_999n, 100_000n, 999_999n, 1_000_000n];
    expect(amounts.map((amount) => requiredConfirmations('order', 'LTC', amount))).toEqual([1, 2, 2, 3]);
    expect(requiredConfirmations('donation', 'BTC', 5_000_000n)).toBe(1);
    expect(requiredConfirmations('donation', 'LTC', null)).toBe(2);
  });

  test('ends the time to pay', () => {
    expect(expiryOf(1000, 90)).toBe(91_000);
    expect(extendedExpiry(91_000, 5000)).toBe(991_000);
    expect(extendedExpiry(91_000, 95_000)).toBe(995_000);
  });

  test('takes an order less its tolerance and a donation by anything', () => {
    const order = { type: 'order', asked: 10_000n, toleranceBps: 100 } as const;
    expect([9899n, 9900n, 10_000n].map((amount) => isFullAmount(order, amount))).toEqual([false, true, true]);
    expect([0n, 1n].map((amount) => isFullAmount({ ...order, type: 'donation' }, amount))).toEqual([
      false,
      true,
    ]);
  });

  test('writes payment URIs', () => {
    expect(paymentUriOf('BTC', 'a', 150_000n)).toBe('bitcoin:a?amount=0.0015');
    expect(paymentUriOf('LTC', 'a', 100_000_000n)).toBe('litecoin:a?amount=1');
    expect(paymentUriOf('LTC', 'a', null)).toBe('litecoin:a');
  });

  test.each(['BTC', 'LTC'] as const)(
    "derives the addresses that a %s merchant's wallet shows",
    (currency) => {
      const wallet = createMerchantWallet(currency);
      const { addressAt } = specAddresses(currency, wallet.xpub, { scriptType: wallet.scriptType });
      expect([0, 1, 77].map(addressAt)).toEqual([0, 1, 77].map((index) => wallet.addressAt(index)));
    },
  );

  test('derives addresses of the older script types', () => {
    const { xpub } = createMerchantWallet('LTC');
    expect(specAddresses('LTC', xpub, { scriptType: 'p2pkh' }).addressAt(1)).toMatch(/^[mn]/);
    expect(specAddresses('LTC', xpub, { scriptType: 'p2sh_p2wpkh' }).addressAt(1)).toMatch(/^Q/);
    expect(specAddresses('BTC', xpub, { scriptType: 'p2sh_p2wpkh' }).addressAt(1)).toMatch(/^2/);
  });
});
