import type { CreatePaymentLinkInput, Currency } from '@paywatch/domain/contract';
import { parseCoins } from '@paywatch/domain/money';

/** What the amount of a link is in: a currency or a coin, fixed or open. */
type AmountKind = 'price' | 'coins' | 'openPrice' | 'open';
/** How often a link sells. */
type UseKind = 'repeated' | 'single' | 'stock';

/** The form as typed. */
export type LinkDraft = {
  title: string;
  description: string;
  kind: AmountKind;
  amount: string;
  priceCurrency: string;
  coin: Currency;
  use: UseKind;
  stock: string;
  returnUrl: string;
};

/** An empty form. */
export const EMPTY_DRAFT: LinkDraft = {
  title: '',
  description: '',
  kind: 'price',
  amount: '',
  priceCurrency: 'EUR',
  coin: 'BTC',
  use: 'repeated',
  stock: '',
  returnUrl: '',
};

/** The API request for a draft. Invalid values are passed on as typed, so that the API rejects them. Pure. */
export function linkRequest(draft: LinkDraft): CreatePaymentLinkInput {
  return {
    title: draft.title,
    ...(draft.description.trim() === '' ? {} : { description: draft.description }),
    ...amountOf(draft),
    ...(draft.use === 'single' ? { single_use: true } : {}),
    ...(draft.use === 'stock' ? { stock: Number(draft.stock) } : {}),
    ...(draft.returnUrl.trim() === '' ? {} : { return_url: draft.returnUrl.trim() }),
  };
}

function amountOf({
  kind,
  amount,
  priceCurrency,
  coin,
}: LinkDraft): Pick<CreatePaymentLinkInput, 'price' | 'amount' | 'currencies'> {
  const typed = amount.trim().replace(',', '.');
  if (kind === 'open') return {};
  const currency = priceCurrency.trim().toUpperCase();
  if (kind === 'openPrice') return { price: { amount: null, currency } };
  if (kind === 'price') return { price: { amount: typed, currency } };
  const parsed = parseCoins(typed, coin);
  return { amount: parsed.ok ? String(parsed.value) : amount, currencies: [coin] };
}
