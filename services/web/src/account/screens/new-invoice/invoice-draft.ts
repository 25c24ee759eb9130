import type { CreateInvoiceInput, Currency, MeView } from '@paywatch/domain/contract';
import { draftUnits } from '../../../donate/form/donation-draft.ts';

/** The form for a new invoice, as typed. */
export type InvoiceDraft = {
  readonly currency: Currency;
  readonly amount: string;
  readonly orderId: string;
  readonly minutes: string;
  readonly returnUrl: string;
};

/** An empty form with the currency of the first wallet that serves. */
export function emptyInvoiceDraft({ wallets }: MeView['project']): InvoiceDraft {
  const currency = wallets.find(({ serving }) => serving)?.currency ?? 'BTC';
  return { currency, amount: '', orderId: '', minutes: '', returnUrl: '' };
}

/** The typed amount in minimal units; null where it is empty or not an amount. */
export function invoiceUnits({ amount, currency }: InvoiceDraft): bigint | null {
  return draftUnits(amount, currency) ?? null;
}

/** The API request for a draft; empty fields are left out. */
export function invoiceRequest(
  { currency, orderId, minutes, returnUrl }: InvoiceDraft,
  units: bigint,
): CreateInvoiceInput {
  return {
    currency,
    type: 'order',
    expected_amount: String(units),
    ...(orderId.trim() === '' ? {} : { order_id: orderId.trim() }),
    ...(minutes.trim() === '' ? {} : { ttl_seconds: Math.round(Number(minutes) * 60) }),
    ...(returnUrl.trim() === '' ? {} : { return_url: returnUrl.trim() }),
  };
}
