import { formatFiat, parseFiat, type CreateInvoiceBody } from '@paywatch/domain/contract';
import type { OrderDetails } from '@paywatch/domain/invoices';

/** What the payment page shows about an order; undefined if the body has no such fields. Pure. */
export function orderDetails({
  description,
  lines,
  renew_url: renewUrl,
  price,
}: Pick<CreateInvoiceBody, 'description' | 'lines' | 'renew_url' | 'price'>): { details?: OrderDetails } {
  if (description === null && lines === null && renewUrl === null) return {};
  const currency = price?.currency ?? null;
  return {
    details: {
      description,
      renewUrl,
      lines: (lines ?? []).map((line) => ({ ...line, amount: withAllDecimals(line.amount, currency) })),
    },
  };
}

/** The contract accepts amounts of lines only with a price and in its decimals. */
function withAllDecimals(amount: string | null, currency: string | null): string | null {
  const units = amount === null || currency === null ? null : parseFiat(amount, currency);
  return units === null || currency === null ? null : formatFiat(units, currency);
}
