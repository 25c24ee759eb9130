import type {
  BuyByPaymentLinkInput,
  Currency,
  PublicPaymentLink,
  PurchaseDraft,
} from '@paywatch/domain/contract';
import { CURRENCIES } from '@paywatch/domain/coins';
import { parseCoins } from '@paywatch/domain/money';
import { normalizeAmount } from '../money/typed-amount.ts';
import type { LinkTexts } from './link-en.ts';

/** In what the buyer names the amount; null where the link sets it. Pure. */
export function openAmount({ price, amount }: PublicPaymentLink): 'coins' | 'price' | null {
  if (price !== null) return price.amount === null ? 'price' : null;
  return amount === null ? 'coins' : null;
}

/** The selected currency if it has a free address, else one that has. A form without JavaScript may contain any text. */
export function currencyOf(draft: PurchaseDraft | null, link: PublicPaymentLink): Currency {
  const { currencies, busy_currencies: busy = [] } = link;
  const free = currencies.filter((currency) => !busy.includes(currency));
  return free.find((currency) => currency === draft?.currency) ?? free[0] ?? currencies[0] ?? 'BTC';
}

/** The API request for a draft. An invalid amount is passed on as typed, so that the API rejects it. Pure. */
export function purchaseRequest(
  open: 'coins' | 'price' | null,
  typed: string,
  currency: string,
): BuyByPaymentLinkInput {
  const known = CURRENCIES.find((one) => one === currency);
  // What is no currency or no amount is passed on, so that the API rejects it.
  if (open === null || known === undefined) return { currency: currency as Currency };
  if (open === 'price') return { currency: known, price_amount: normalizeAmount(typed) };
  const parsed = parseCoins(normalizeAmount(typed), known);
  return { currency: known, amount: parsed.ok ? String(parsed.value) : typed };
}

/** What is wrong with the typed amount; null if nothing is. The API knows the rest. Pure. */
export function amountError(
  open: 'coins' | 'price' | null,
  typed: string,
  currency: Currency,
  { errors }: LinkTexts,
): string | null {
  const text = normalizeAmount(typed);
  if (open === 'coins') return parseCoins(text, currency).ok ? null : errors.malformedCoins;
  if (open === 'price') return /^\d{1,12}(\.\d{1,4})?$/.test(text) ? null : errors.malformedPrice;
  return null;
}
