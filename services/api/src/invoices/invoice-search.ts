import { addressToScript } from '@paywatch/domain/chain';
import { parseFiat } from '@paywatch/domain/contract';
import { CURRENCIES, parseCoins } from '@paywatch/domain/values';
import type { InvoiceSearch } from '@paywatch/store/invoices';
import type { ApiConfig } from '../config.ts';

/** The largest amount that Postgres compares. */
const MAX_BIGINT = 2n ** 63n - 1n;

/** What a text in the search field looks for. */
export function searchFor(
  { networks, env }: Pick<ApiConfig, 'networks' | 'env'>,
  text: string,
): InvoiceSearch {
  if (/^inv_[1-9A-HJ-NP-Za-km-z]{20,32}$/.test(text)) return { by: 'public_id', publicId: text };
  if (/^[0-9a-f]{64}$/i.test(text)) return { by: 'txid', txid: text.toLowerCase() };
  for (const currency of CURRENCIES) {
    const script = addressToScript(text, currency, networks[currency]);
    if (script.ok) return { by: 'script', script: script.value };
  }
  return { by: 'text', text, amounts: coinAmounts(text), prices: fiatPrices(env.RATE_CURRENCIES, text) };
}

function coinAmounts(text: string): bigint[] {
  const amounts = CURRENCIES.map((currency) => parseCoins(text, currency));
  return [...new Set(amounts.flatMap((amount) => (amount.ok && amount.value > 0n ? [amount.value] : [])))];
}

function fiatPrices(currencies: readonly string[], text: string): { currency: string; amount: bigint }[] {
  return currencies.flatMap((currency) => {
    const amount = parseFiat(text, currency);
    return amount === null || amount > MAX_BIGINT ? [] : [{ currency, amount }];
  });
}
