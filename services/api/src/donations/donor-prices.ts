import type { Currency, DonationLinkInfo } from '@paywatch/domain/contract';
import { formatRate } from '@paywatch/domain/prices';
import { AppError } from '@paywatch/domain/requests';
import type { DonationLink } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import type { ReadRate } from '../rates/rate-reader.ts';

/** The currency in which donors may name an amount, and the price of one coin in it; null where there is none now. */
export type DonorRates = { currency: string; rates: Record<Currency, bigint | null> };

/** Reads the rates in the currency of the suggested prices, else in that of the project. Null without a currency or any rate. */
export async function readDonorRates(
  { config, readRate }: Pick<Dependencies, 'config' | 'readRate'>,
  { page, fiatCurrency }: Pick<DonationLink, 'page' | 'fiatCurrency'>,
): Promise<DonorRates | null> {
  const currency = page.suggested_prices?.currency ?? fiatCurrency;
  if (currency === null || !config.env.RATE_CURRENCIES.includes(currency)) return null;
  const [BTC, LTC] = await Promise.all([
    rateOf(readRate, 'BTC', currency),
    rateOf(readRate, 'LTC', currency),
  ]);
  return BTC === null && LTC === null ? null : { currency, rates: { BTC, LTC } };
}

async function rateOf(readRate: ReadRate, currency: Currency, priceCurrency: string): Promise<bigint | null> {
  try {
    return (await readRate({ currency, in: priceCurrency })).value;
  } catch (error) {
    // A page without amounts in fiat is better than no page.
    if (error instanceof AppError && error.code === 'rate_unavailable') return null;
    throw error;
  }
}

/** The rates as the page gets them. Pure. */
export function donorPrices(donorRates: DonorRates | null): Pick<DonationLinkInfo, 'prices'> {
  if (donorRates === null) return {};
  const { currency, rates } = donorRates;
  return { prices: { currency, rates: { BTC: textOf(rates.BTC), LTC: textOf(rates.LTC) } } };
}

function textOf(rate: bigint | null): string | null {
  return rate === null ? null : formatRate(rate);
}
