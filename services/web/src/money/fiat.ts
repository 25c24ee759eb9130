import type { InvoiceView } from '@paywatch/domain/contract';
import type { Language } from '../ui/language.ts';

type Priced = Pick<InvoiceView, 'currency' | 'price' | 'rate'>;

/** Formats a price: `1,999.00 EUR`, in German `1.999,00 EUR`. */
export function priceText({ amount, currency }: NonNullable<Priced['price']>, language: Language): string {
  return `${decimalText(amount, language)}\u00a0${currency}`;
}

/** The same without decimals that are zero: `5 EUR`. */
export function shortPriceText(
  { amount, currency }: NonNullable<Priced['price']>,
  language: Language,
): string {
  return priceText({ amount: amount.replace(/\.0+$/, ''), currency }, language);
}

/** Formats the rate of an invoice with its sources: `1 BTC = 87,416.72 EUR (bitstamp, kraken)`. */
export function rateText(
  coin: Priced['currency'],
  { value, currency, sources }: NonNullable<Priced['rate']>,
  language: Language,
): string {
  const rate = decimalText(shortened(value), language);
  return `1\u00a0${coin} = ${rate}\u00a0${currency} (${sources.join(', ')})`;
}

/** Six decimals are shown; the API has all of them. */
function shortened(value: string): string {
  const [whole = '', fraction = ''] = value.split('.');
  const shown = fraction.slice(0, 6);
  return shown === '' ? whole : `${whole}.${shown.padEnd(2, '0')}`;
}

/** Does not use Intl, whose output may differ between server and browser. */
function decimalText(decimal: string, language: Language): string {
  const { point, group } = SEPARATORS[language];
  const [whole = '', fraction] = decimal.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, group);
  return fraction === undefined ? grouped : `${grouped}${point}${fraction}`;
}

const SEPARATORS: Readonly<Record<Language, { point: string; group: string }>> = {
  en: { point: '.', group: ',' },
  de: { point: ',', group: '.' },
};
