import type { Currency } from '@paywatch/dev/wallet';
import type { OwnerView } from '../../../lease/owner-view.ts';
import type { SpecAddresses } from '../../../spec/spec-addresses.ts';
import { expiryOf, extendedExpiry, requiredConfirmations } from '../../../spec/spec-terms.ts';

/** What was asked of Paywatch when an invoice was made, and when. */
export type Sale = {
  publicId: string;
  currency: Currency;
  type: 'order' | 'donation';
  asked: bigint | null;
  ttlSeconds: number;
  orderId: string | null;
  donorName: string | null;
  donorMessage: string | null;
  returnUrl: string | null;
  renewUrl: string | null;
  description: string | null;
  lines: OwnerView['lines'];
  publicUrl: string;
  /** Where the wallet's keys lead. */
  addresses: SpecAddresses;
  /** Which of its addresses the first answer named. It is compared with the address, and must not change. */
  addressIndex: number;
  /** Whether an earlier invoice had the address. */
  isReused: boolean;
  /** What the first answer said. It must lie between the request and the answer, and must not change. */
  createdAt: string;
  requestedMs: number;
  answeredMs: number;
  /** What the file said of an order that another system left open; null where Paywatch sold it. */
  imported: { createdMs: number; expiresMs: number } | null;
  /** When the time to pay was extended; null where it was not. */
  extension: { requestedMs: number; answeredMs: number } | null;
};

/** How far Postgres' clock may be from the driver's: both are of one machine. */
const CLOCK_SLACK_MS = 1000;

/** All differences between the terms that a view shows and those that the specification derives from the request. */
export function compareTerms(sale: Sale, view: OwnerView): string[] {
  const expected = expectedTerms(sale, view);
  const differences = Object.entries(expected).flatMap(([name, right]) => {
    const shown = view[name as keyof typeof expected];
    return textOf(shown) === textOf(right) ? [] : [`${name} ${textOf(shown)}, right is ${textOf(right)}`];
  });
  return [...differences, ...compareCreation(sale, view), ...compareExpiry(sale, view)];
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? JSON.stringify(value) : String(value);
}

function expectedTerms(sale: Sale, view: OwnerView) {
  return {
    public_id: sale.publicId,
    type: sale.type,
    currency: sale.currency,
    address: sale.addresses.addressAt(view.address_index),
    address_index: sale.addressIndex,
    address_reused: sale.isReused,
    expected_amount: sale.asked === null ? null : String(sale.asked),
    confirmations_required: requiredConfirmations(sale.type, sale.currency, sale.asked),
    order_id: sale.orderId,
    donor_name: sale.donorName,
    donor_message: sale.donorMessage,
    return_url: sale.returnUrl,
    renew_url: sale.renewUrl,
    description: sale.description,
    lines: sale.lines,
    pay_url: `${sale.publicUrl}/pay/${sale.publicId}`,
    created_at: sale.createdAt,
    ttl_seconds: sale.ttlSeconds,
  };
}

function compareCreation({ requestedMs, answeredMs }: Sale, view: OwnerView): string[] {
  const createdMs = Date.parse(view.created_at);
  const isBetween = createdMs >= requestedMs - CLOCK_SLACK_MS && createdMs <= answeredMs + CLOCK_SLACK_MS;
  return isBetween ? [] : [`created_at ${view.created_at} is not between the request and its answer`];
}

/** A view from before the extension shows the former end. */
function compareExpiry({ extension, imported, ttlSeconds }: Sale, view: OwnerView): string[] {
  const first = imported?.expiresMs ?? expiryOf(Date.parse(view.created_at), ttlSeconds);
  const shown = Date.parse(view.expires_at);
  if (!view.extended)
    return shown === first ? [] : [`expires_at ${view.expires_at}, right is ${timestamp(first)}`];
  if (extension === null) return ['extended true, but nobody has extended it'];
  const earliest = extendedExpiry(first, extension.requestedMs - CLOCK_SLACK_MS);
  const latest = extendedExpiry(first, extension.answeredMs + CLOCK_SLACK_MS);
  if (shown >= earliest && shown <= latest) return [];
  return [
    `expires_at ${view.expires_at} after the extension, right is from ${timestamp(earliest)} to ${timestamp(latest)}`,
  ];
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
