import { CURRENCIES } from '@paywatch/domain/coins';
import type { Currency, InvoiceView } from '@paywatch/domain/contract';
import { coinText } from '../../../money/amounts.ts';
import { useSignedInAccount } from '../../app/account-context.ts';

type Shown = Pick<InvoiceView, 'currency' | 'received_amount'>;

/** What the invoices that are shown received, in each currency. */
export function InvoiceTotals({ invoices }: { invoices: readonly Shown[] }) {
  const words = useSignedInAccount().texts.invoices;
  return (
    <p class="quiet totals" data-testid="totals">
      {words.shown(invoices.length)}{' '}
      {receivedByCurrency(invoices).map(({ currency, received }, index) => (
        <span key={currency}>
          {index === 0 ? '' : ' + '}
          <bdi dir="ltr">{coinText(String(received), currency)}</bdi>
        </span>
      ))}
    </p>
  );
}

/** Sums what was received, in minimal units; only currencies of these invoices. Pure. */
function receivedByCurrency(invoices: readonly Shown[]): { currency: Currency; received: bigint }[] {
  return CURRENCIES.flatMap((currency) => {
    const own = invoices.filter((invoice) => invoice.currency === currency);
    const received = own.reduce((sum, invoice) => sum + BigInt(invoice.received_amount), 0n);
    return own.length === 0 ? [] : [{ currency, received }];
  });
}
