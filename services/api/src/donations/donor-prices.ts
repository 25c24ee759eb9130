import type { DonationLinkInfo } from '@paywatch/domain/contract';
import { formatRate } from '@paywatch/domain/prices';
import type { DonationLink } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import { ratesIn } from './suggestions.ts';

/** The currency in which donors may name an amount, with its rates; nothing without a currency or without any rate. */
export async function readDonorPrices(
  { config, readRate }: Pick<Dependencies, 'config' | 'readRate'>,
  { page, fiatCurrency }: Pick<DonationLink, 'page' | 'fiatCurrency'>,
): Promise<Pick<DonationLinkInfo, 'prices'>> {
  const currency = page.suggested_prices?.currency ?? fiatCurrency;
  if (currency === null || !config.env.RATE_CURRENCIES.includes(currency)) return {};
  const { BTC, LTC } = await ratesIn(readRate, currency);
  if (BTC === null && LTC === null) return {};
  return { prices: { currency, rates: { BTC: textOf(BTC), LTC: textOf(LTC) } } };
}

function textOf(rate: bigint | null): string | null {
  return rate === null ? null : formatRate(rate);
}
