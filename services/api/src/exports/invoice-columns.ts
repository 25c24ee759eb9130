import { formatFiat, type InvoiceView, type PaymentView } from '@paywatch/domain/contract';
import { coinsInFiat, parseRate, RATE_DECIMALS } from '@paywatch/domain/prices';
import { formatCoins } from '@paywatch/domain/values';
import type { Columns } from './table-file.ts';

/** An invoice of a file. */
export type InvoiceRow = { invoice: InvoiceView; explorerUrl: string | null };
/** A payment of a file, with its invoice. */
export type PaymentRow = InvoiceRow & { payment: PaymentView };

/** Amounts are in coins, as bookkeeping needs them; the API's minimal units would be taken for coins in a spreadsheet. */
export const INVOICE_COLUMNS: Columns<InvoiceRow> = {
  public_id: ({ invoice }) => invoice.public_id,
  type: ({ invoice }) => invoice.type,
  status: ({ invoice }) => invoice.status,
  reversed: ({ invoice }) => invoice.reversed,
  created_at: ({ invoice }) => invoice.created_at,
  expires_at: ({ invoice }) => invoice.expires_at,
  order_id: ({ invoice }) => invoice.order_id,
  currency: ({ invoice }) => invoice.currency,
  expected_coins: ({ invoice }) => coinsOf(invoice.expected_amount),
  received_coins: ({ invoice }) => coinsOf(invoice.received_amount),
  confirmed_coins: ({ invoice }) => coinsOf(invoice.confirmed_amount),
  overpaid_coins: ({ invoice }) => coinsOf(invoice.overpaid_amount),
  price: ({ invoice }) => priceOf(invoice)?.amount ?? null,
  price_currency: ({ invoice }) => priceOf(invoice)?.currency ?? null,
  rate: ({ invoice }) => rateOf(invoice)?.value ?? null,
  rate_taken_at: ({ invoice }) => rateOf(invoice)?.taken_at ?? null,
  accepted_fiat: ({ invoice }) => invoice.accepted_in_fiat?.amount ?? null,
  accepted_fiat_currency: ({ invoice }) => invoice.accepted_in_fiat?.currency ?? null,
  accepted_fiat_rate: ({ invoice }) => invoice.accepted_in_fiat?.rate ?? null,
  address: ({ invoice }) => invoice.address,
  txids: ({ invoice }) => [...new Set(invoice.payments.map(({ txid }) => txid))].join(' '),
  donor_name: ({ invoice }) => invoice.donor_name,
  donor_message: ({ invoice }) => invoice.donor_message,
  pay_url: ({ invoice }) => invoice.pay_url,
};

/** A line for each payment. */
export const PAYMENT_COLUMNS: Columns<PaymentRow> = {
  first_seen_at: ({ payment }) => payment.first_seen_at,
  currency: ({ invoice }) => invoice.currency,
  coins: ({ payment }) => coinsOf(payment.amount),
  price_currency: ({ invoice }) => priceOf(invoice)?.currency ?? null,
  rate: ({ invoice }) => rateOf(invoice)?.value ?? null,
  accepted_fiat: ({ invoice, payment }) => acceptedFiat(invoice, payment),
  accepted_fiat_currency: ({ invoice }) => invoice.accepted_in_fiat?.currency ?? null,
  accepted_fiat_rate: ({ invoice }) => invoice.accepted_in_fiat?.rate ?? null,
  status: ({ payment }) => payment.status,
  late: ({ payment }) => payment.late,
  confirmations: ({ payment }) => payment.confirmations,
  block_height: ({ payment }) => payment.block_height,
  txid: ({ payment }) => payment.txid,
  vout: ({ payment }) => payment.vout,
  address: ({ invoice }) => invoice.address,
  explorer_url: ({ payment, explorerUrl }) => explorerUrl && `${explorerUrl}/tx/${payment.txid}`,
  public_id: ({ invoice }) => invoice.public_id,
  invoice_status: ({ invoice }) => invoice.status,
  type: ({ invoice }) => invoice.type,
  order_id: ({ invoice }) => invoice.order_id,
  donor_name: ({ invoice }) => invoice.donor_name,
};

/** Donors may name any amount and pay another one, so theirs is no price. */
function priceOf({ type, price }: InvoiceView): InvoiceView['price'] {
  return type === 'order' ? price : null;
}

function rateOf({ type, rate }: InvoiceView): InvoiceView['rate'] {
  return type === 'order' ? rate : null;
}

/** The part of one payment; null while it is not confirmed. Rounded down, so the parts may add up to less than the whole. */
function acceptedFiat(
  { accepted_in_fiat: whole }: InvoiceView,
  { amount, status }: PaymentView,
): string | null {
  const value = whole === null ? null : parseRate(whole.rate, RATE_DECIMALS);
  if (whole === null || value === null || status !== 'confirmed') return null;
  const { currency } = whole;
  return formatFiat(coinsInFiat(BigInt(amount), { value, currency }), currency);
}

function coinsOf(amount: string | null): string | null {
  return amount === null ? null : formatCoins(BigInt(amount));
}
