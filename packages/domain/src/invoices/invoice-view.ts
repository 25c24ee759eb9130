import type { Currency, Network } from '../chain/chains.ts';
import type { Branding } from '../contract/resources/account/branding.ts';
import type { PublicBranding } from '../contract/resources/account/public-branding.ts';
import { formatFiat } from '../contract/fields/fiat.ts';
import { coinsInFiat } from '../prices/coins-in-fiat.ts';
import { parseRate, RATE_DECIMALS } from '../prices/rate-value.ts';
import { uploadPath } from '../contract/resources/uploads/uploads.ts';
import type { InvoiceView, PaymentView, PublicInvoiceView } from '../contract/resources/invoices/invoices.ts';
import { asksForMoney, invoiceAmounts, paymentState } from './invoice-amounts.ts';
import type { CountedPayment, InvoiceAmounts } from './invoice-amounts.ts';
import { isPaidInFull } from './invoice-status.ts';
import type { InvoiceFacts } from './invoice-status.ts';
import { paymentUri } from '../chain/payment-uri.ts';

/** A payment as stored. */
export type PaymentSnapshot = CountedPayment & { txid: string; vout: number; blockHash: string | null };

/** The price of an invoice in the smallest units of its currency, and the rate that it was converted with. */
export type LockedPrice = {
  amount: bigint;
  currency: string;
  /** A decimal: the price of one coin. */
  rate: { value: string; sources: readonly string[]; takenAtMs: number };
};

/** What a payment page shows about an order, and where its payer gets a new invoice once it has expired. */
export type OrderDetails = {
  description: string | null;
  /** The amounts of lines are decimals in the currency of the price, with all of its decimals. */
  lines: readonly { name: string; quantity: number; amount: string | null }[];
  renewUrl: string | null;
};

/** Everything that a view of an invoice is built from, read in one snapshot. Amounts in minimal units, times in epoch ms. */
export type InvoiceSnapshot = InvoiceFacts & {
  publicId: string;
  currency: Currency;
  network: Network;
  /** Null unless the amount was computed from a price. */
  price: LockedPrice | null;
  /** The rate in the currency of the project when it was confirmed; null if none was set or known. */
  fiatRate: { value: string; currency: string } | null;
  /** Null for a donation that nobody paid and whose address nobody has seen. */
  address: string | null;
  addressIndex: number;
  isAddressReused: boolean;
  orderId: string | null;
  donorName: string | null;
  donorMessage: string | null;
  returnUrl: string | null;
  /** Null for donations, and for orders that were created without any. */
  details: OrderDetails | null;
  isReversed: boolean;
  createdAtMs: number;
  expiresAtMs: number;
  isExtended: boolean;
  ttlSeconds: number;
  version: number;
  /** In display order. */
  payments: readonly PaymentSnapshot[];
  /** Height of the best block known when this was read. */
  tipHeight: number;
  /** When this was read. */
  nowMs: number;
  /** The public base URL without a trailing slash. */
  publicUrl: string;
  /** The donation link that it was created with, while that is valid; null for all others. */
  donateUrl: string | null;
  /** The payment link that it was bought by, while that is valid and the invoice is expired; null for all others. */
  linkUrl: string | null;
  /** Null until the project has a name. */
  projectName: string | null;
  /** What the project changed of the look of its pages. */
  branding: Partial<Branding>;
  /** Base URL of a block explorer; null if none covers this network. */
  explorerUrl: string | null;
  /** Whether our view of the chain is stale. */
  isChainDelayed: boolean;
};

/**
 * The invoice for its owner and for events. `confirmations` and amounts are computed from the snapshot's tip and time, so they
 * change without a new version.
 */
export function buildOwnerView(snapshot: InvoiceSnapshot): InvoiceView {
  const amounts = invoiceAmounts(snapshot, snapshot.payments, snapshot.tipHeight, snapshot.nowMs);
  return {
    public_id: snapshot.publicId,
    type: snapshot.type,
    status: snapshot.status,
    currency: snapshot.currency,
    address: snapshot.address ?? '',
    address_index: snapshot.addressIndex,
    address_reused: snapshot.isAddressReused,
    expected_amount: snapshot.expectedAmount?.toString() ?? null,
    ...pricesOf(snapshot),
    received_amount: amounts.receivedAmount.toString(),
    confirmed_amount: amounts.confirmedAmount.toString(),
    due_amount: amounts.dueAmount?.toString() ?? null,
    overpaid_amount: amounts.overpaidAmount.toString(),
    accepted_in_fiat: acceptedInFiat(snapshot, amounts),
    confirmations: amounts.confirmations,
    confirmations_required: snapshot.confirmationsRequired,
    order_id: snapshot.orderId,
    donor_name: snapshot.donorName,
    donor_message: snapshot.donorMessage,
    return_url: snapshot.returnUrl,
    renew_url: snapshot.details?.renewUrl ?? null,
    description: snapshot.details?.description ?? null,
    lines: snapshot.details?.lines.map((line) => ({ ...line })) ?? [],
    pay_url: payUrl(snapshot.publicUrl, snapshot.publicId),
    payment_uri: uriForTheRest(snapshot, amounts),
    payments: snapshot.payments.map((payment) => paymentView(payment, snapshot)),
    reversed: snapshot.isReversed,
    created_at: timestamp(snapshot.createdAtMs),
    expires_at: timestamp(snapshot.expiresAtMs),
    extended: snapshot.isExtended,
    ttl_seconds: snapshot.ttlSeconds,
    version: snapshot.version,
  };
}

/** The invoice for its payer: without the shop's internal data, and with everything that a page needs. */
export function buildPublicView(snapshot: InvoiceSnapshot): PublicInvoiceView {
  const {
    order_id: _orderId,
    ttl_seconds: _ttl,
    address_index: _index,
    accepted_in_fiat: _inFiat,
    ...shared
  } = buildOwnerView(snapshot);
  return {
    ...shared,
    project_name: snapshot.projectName,
    branding: publicBranding(snapshot.branding),
    network: snapshot.network,
    explorer_url: snapshot.explorerUrl,
    chain_delayed: snapshot.isChainDelayed,
    ...(snapshot.status === 'expired' && snapshot.donateUrl !== null
      ? { donate_url: snapshot.donateUrl }
      : {}),
    ...(snapshot.linkUrl === null ? {} : { link_url: snapshot.linkUrl }),
  };
}

/** The look of a project on the pages of its payers; null if it has none of its own. Pure. */
export function publicBranding({
  logo = null,
  accent_color = null,
  terms_url = null,
  support_url = null,
}: Partial<Branding>): PublicBranding | null {
  if (logo === null && accent_color === null && terms_url === null && support_url === null) return null;
  return { logo_url: logo && uploadPath(logo), accent_color, terms_url, support_url };
}

function pricesOf({ price }: InvoiceSnapshot): Pick<InvoiceView, 'price' | 'rate'> {
  if (price === null) return { price: null, rate: null };
  const { amount, currency, rate } = price;
  return {
    price: { amount: formatFiat(amount, currency), currency },
    rate: {
      value: rate.value,
      currency,
      sources: [...rate.sources],
      taken_at: timestamp(rate.takenAtMs),
    },
  };
}

/** As in the statistics: the confirmed money of a confirmed invoice, later payments included. */
function acceptedInFiat(
  { status, isReversed, fiatRate }: InvoiceSnapshot,
  { confirmedAmount }: InvoiceAmounts,
): InvoiceView['accepted_in_fiat'] {
  const value = fiatRate === null ? null : parseRate(fiatRate.value, RATE_DECIMALS);
  if (fiatRate === null || value === null || status !== 'confirmed' || isReversed) return null;
  const { currency } = fiatRate;
  const worth = coinsInFiat(confirmedAmount, { value, currency });
  return { amount: formatFiat(worth, currency), currency, rate: fiatRate.value };
}

/** The URL of an invoice's payment page. */
export function payUrl(publicUrl: string, publicId: string): string {
  return `${publicUrl}/pay/${publicId}`;
}

/** A moment on the wire: RFC 3339, UTC, milliseconds. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** The payment URI for the missing amount; null if nothing is missing, and if a payment sent now would be late. */
function uriForTheRest(
  snapshot: InvoiceSnapshot,
  { receivedAmount, dueAmount }: InvoiceAmounts,
): string | null {
  const { currency, address, nowMs } = snapshot;
  if (address === null || !asksForMoney(snapshot, nowMs) || isPaidInFull(snapshot, receivedAmount))
    return null;
  return paymentUri({ currency, address, amount: dueAmount });
}

function paymentView(payment: PaymentSnapshot, snapshot: InvoiceSnapshot): PaymentView {
  const { status, isLate, confirmations } = paymentState(payment, snapshot, snapshot.tipHeight);
  return {
    txid: payment.txid,
    vout: payment.vout,
    amount: payment.amount.toString(),
    status,
    late: isLate,
    confirmations,
    block_height: payment.blockHeight,
    block_hash: payment.blockHash,
    first_seen_at: timestamp(payment.firstSeenMs),
  };
}
