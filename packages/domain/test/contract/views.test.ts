import { expect, test } from 'vitest';
import { OPERATION_EXAMPLES } from '../../src/contract/openapi/examples.ts';
import {
  donationLinkInfoSchema,
  eventBodySchema,
  exchangeRateViewSchema,
  feeViewSchema,
  invoiceViewSchema,
  meViewSchema,
  overlayDonationSchema,
  paymentViewSchema,
  projectViewSchema,
  publicInvoiceViewSchema,
  statsViewSchema,
} from '../../src/contract/index.ts';

// The names of answers are a promise: this table changes only when the interface does.
test.each([
  [
    'an invoice',
    invoiceViewSchema,
    'public_id type status currency address address_index address_reused expected_amount price rate received_amount confirmed_amount due_amount overpaid_amount accepted_in_fiat confirmations confirmations_required order_id donor_name donor_message return_url renew_url description lines pay_url payment_uri payments reversed created_at expires_at extended ttl_seconds version',
  ],
  [
    'a public invoice',
    publicInvoiceViewSchema,
    'public_id type status currency address address_reused expected_amount price rate received_amount confirmed_amount due_amount overpaid_amount confirmations confirmations_required donor_name donor_message return_url renew_url description lines pay_url payment_uri payments reversed created_at expires_at extended version project_name branding network explorer_url chain_delayed donate_url link_url',
  ],
  [
    'a payment',
    paymentViewSchema,
    'txid vout amount status late confirmations block_height block_hash first_seen_at',
  ],
  ['a webhook body', eventBodySchema, 'id type api_version created_at test data'],
  ['an exchange rate', exchangeRateViewSchema, 'currency in value sources taken_at'],
  ['a fee estimate', feeViewSchema, 'currency unit fast normal economy target_blocks estimated_at stale'],
  [
    'the statistics',
    statsViewSchema,
    'accepted accepted_in_fiat accepted_without_rate statuses types activity',
  ],
  ['me', meViewSchema, 'account project'],
  [
    'a project',
    projectViewSchema,
    'project_id name role donate_token donate_url overlay_token overlay_url price_margin_bps long_price_margin_bps fiat_currency embed_sites donor_texts_days subscription wallets wallet_changes wallet_change_delay webhook',
  ],
  [
    'a donation link',
    donationLinkInfoSchema,
    'project_name currencies accepting busy_currencies proof_of_work picture_url accent_color text links suggestions prices message_minimum speech_minimum alert goal latest_donations limits',
  ],
  [
    'a donation on the overlay',
    overlayDonationSchema,
    'public_id donor_name donor_message amount currency fiat confirmed_at test',
  ],
])('%s has exactly its fields', (_title, schema, fields) => {
  expect(Object.keys(schema.shape)).toEqual(fields.split(' '));
});

const invoice = OPERATION_EXAMPLES.getInvoice.response;

test.each([
  ['a number for an amount', { received_amount: 123400 }],
  ['an amount with a leading zero', { received_amount: '0123' }],
  ['a time without milliseconds', { created_at: '2026-11-20T12:00:00Z' }],
  ['a time in another zone', { created_at: '2026-11-20T12:00:00.000+02:00' }],
  ['an unknown status', { status: 'paid' }],
  ['an identifier without prefix', { public_id: '8yXq3mJ2NdPz5KcVh7RtWb' }],
  ['zero confirmations required', { confirmations_required: 0 }],
])('%s is not a valid view', (_title, over) => {
  expect(invoiceViewSchema.safeParse(invoice).success).toBe(true);
  expect(invoiceViewSchema.safeParse({ ...invoice, ...over }).success).toBe(false);
});

test('an invoice may not lack a field', () => {
  for (const field of Object.keys(invoiceViewSchema.shape)) {
    expect(invoiceViewSchema.safeParse({ ...invoice, [field]: undefined }).success).toBe(false);
  }
});
