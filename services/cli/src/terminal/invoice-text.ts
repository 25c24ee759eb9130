import { formatCoins } from '@paywatch/domain/values';
import type { InvoiceView } from '@paywatch/domain/contract';
import type { TimelineEntry } from './invoice-timeline.ts';
import { blocks, fields, shownMoment, table } from './text.ts';

/** Formats an invoice and its timeline as text. */
export function invoiceText(email: string, invoice: InvoiceView, timeline: readonly TimelineEntry[]): string {
  const rows = timeline.map(({ at, kind, detail }) => [new Date(at), kind, detail]);
  return blocks(
    fields([
      ['Invoice', invoice.public_id],
      ['Account', email],
      ['Type', invoice.type],
      ['Status', invoice.reversed ? `${invoice.status}, reversed` : invoice.status],
      ['Order', invoice.order_id],
      ['Donor', invoice.donor_name],
      ['Message', invoice.donor_message],
    ]),
    amountsText(invoice),
    fields([
      [
        'Address',
        `${invoice.address} (index ${invoice.address_index}${invoice.address_reused ? ', reused' : ''})`,
      ],
      ['Confirmations', `${invoice.confirmations} of ${invoice.confirmations_required}`],
      ['Expires', `${shownMoment(new Date(invoice.expires_at))}${invoice.extended ? ' (extended)' : ''}`],
      ['Page', invoice.pay_url],
      ['Version', invoice.version],
    ]),
    table(['TIME', 'EVENT', 'DETAIL'], rows, ''),
  );
}

function amountsText(invoice: InvoiceView): string {
  const coins = (amount: string | null) =>
    amount === null ? null : `${formatCoins(BigInt(amount))} ${invoice.currency}`;
  return fields([
    ['Expected', coins(invoice.expected_amount)],
    ['Received', coins(invoice.received_amount)],
    ['Confirmed', coins(invoice.confirmed_amount)],
    ['Due', coins(invoice.due_amount)],
    ['Overpaid', coins(invoice.overpaid_amount)],
  ]);
}
