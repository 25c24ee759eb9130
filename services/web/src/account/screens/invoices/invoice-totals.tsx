import { CURRENCIES } from '@paywatch/domain/coins';
import { formatFiat, parseFiat } from '@paywatch/domain/fiat';
import type { Currency, InvoiceView } from '@paywatch/domain/contract';
import { coinText } from '../../../money/amounts.ts';
import { priceText } from '../../../money/fiat.ts';
import { useSignedInAccount } from '../../app/account-context.ts';

type Shown = Pick<InvoiceView, 'currency' | 'received_amount' | 'accepted_in_fiat' | 'status' | 'reversed'>;

/** What the invoices that are shown received, in each currency, and what the accepted part of it was worth. */
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
      <WorthTotals invoices={invoices} />
    </p>
  );
}

function WorthTotals({ invoices }: { invoices: readonly Shown[] }) {
  const { texts, language } = useSignedInAccount();
  const totals = worthByCurrency(invoices);
  const without = invoices.filter(isWithoutRate).length;
  if (totals.length === 0) return null;
  return (
    <span data-testid="totals-worth">
      {`. ${texts.overview.inFiat}: `}
      <bdi dir="ltr">{totals.map((total) => priceText(total, language)).join(' + ')}</bdi>
      {without === 0 ? '' : `, ${texts.overview.withoutRate(without)}`}
    </span>
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

function worthByCurrency(invoices: readonly Shown[]): { currency: string; amount: string }[] {
  const worths = invoices.flatMap(({ accepted_in_fiat: worth }) => (worth === null ? [] : [worth]));
  return [...Map.groupBy(worths, ({ currency }) => currency)].map(([currency, own]) => {
    const sum = own.reduce((total, { amount }) => total + (parseFiat(amount, currency) ?? 0n), 0n);
    return { currency, amount: formatFiat(sum, currency) };
  });
}

function isWithoutRate({ status, reversed, accepted_in_fiat: worth }: Shown): boolean {
  return status === 'confirmed' && !reversed && worth === null;
}
