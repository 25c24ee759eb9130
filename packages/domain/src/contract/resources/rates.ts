import { z } from 'zod';
import { isFiatCurrency, parseFiat } from '../fields/fiat.ts';
import { currencySchema, timestampSchema } from '../fields/primitives.ts';

/** The currency of a price, by its ISO 4217 code. Which ones have a rate depends on the deployment. */
export const fiatCurrencySchema = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'Must be an ISO 4217 code such as EUR.', abort: true })
  .refine(isFiatCurrency, { error: 'Must be an ISO 4217 code such as EUR.' })
  .meta({ description: 'ISO 4217 code.', example: 'EUR' });

/** The price of one coin. */
export const rateValueSchema = z
  .string()
  .regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/)
  .meta({ description: 'Price of one coin, a decimal string.', example: '87416.72' });

const sourcesSchema = z.array(z.string()).meta({
  description: 'The markets whose median it is; `(local)` marks invented prices of a development stack.',
  example: ['binance', 'bitstamp', 'coinbase', 'kraken'],
});

/** The amount of a price in a request. */
export const priceAmountSchema = z
  .string({ error: 'Must be a decimal string such as "19.99".' })
  .regex(/^(0|[1-9][0-9]{0,11})(\.[0-9]{1,4})?$/, {
    error: 'Must be a decimal such as "19.99", with at most 12 digits before the point.',
  })
  .meta({ description: 'Decimal string with at most the decimals of the currency.', example: '19.99' });

/** A price as a request names it. Its decimals are those of its currency, so they are checked together. */
export const priceSchema = z
  .strictObject({ amount: priceAmountSchema, currency: fiatCurrencySchema })
  .refine(({ amount, currency }) => parseFiat(amount, currency) !== null, {
    path: ['amount'],
    error: 'Has more decimals than its currency.',
  })
  .refine(({ amount, currency }) => parseFiat(amount, currency) !== 0n, {
    path: ['amount'],
    error: 'Must be above zero.',
  });

/** The price of an invoice. */
export const priceViewSchema = z
  .object({
    amount: z.string().meta({ description: 'With all decimals of the currency.', example: '19.99' }),
    currency: fiatCurrencySchema,
  })
  .meta({
    id: 'Price',
    description: 'Of a donation: what the donor entered. Any amount of coins confirms a donation.',
  });

/** What accepted money was worth. */
export const fiatWorthViewSchema = z
  .object({
    amount: z
      .string()
      .meta({ description: 'With all decimals of the currency, rounded down.', example: '107.87' }),
    currency: fiatCurrencySchema,
    rate: rateValueSchema,
  })
  .meta({ id: 'FiatWorth' });

/** The rate that an invoice was priced with; it never changes. */
export const lockedRateViewSchema = z
  .object({
    value: rateValueSchema,
    currency: fiatCurrencySchema,
    sources: sourcesSchema,
    taken_at: timestampSchema,
  })
  .meta({ id: 'LockedRate' });

/** Path of the rate of a coin. */
export const rateParamsSchema = z.object({ currency: currencySchema });

/** GET /v1/public/rates/{currency} */
export const rateQuerySchema = z.object({ in: fiatCurrencySchema });

/** The rate of a coin now. */
export const exchangeRateViewSchema = z
  .object({
    currency: currencySchema,
    in: fiatCurrencySchema,
    value: rateValueSchema,
    sources: sourcesSchema,
    taken_at: timestampSchema,
  })
  .meta({ id: 'ExchangeRate' });
export type ExchangeRateView = z.infer<typeof exchangeRateViewSchema>;
