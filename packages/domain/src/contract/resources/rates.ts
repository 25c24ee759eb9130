import { z } from 'zod';
import { isFiatCurrency } from '../fiat.ts';
import { currencySchema, timestampSchema } from '../primitives.ts';

/** The currency of a price, by its ISO 4217 code. Which ones have a rate depends on the deployment. */
export const fiatCurrencySchema = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'Must be an ISO 4217 code such as EUR.', abort: true })
  .refine(isFiatCurrency, { error: 'Must be an ISO 4217 code such as EUR.' })
  .meta({ description: 'ISO 4217 code.', example: 'EUR' });

const rateValueSchema = z
  .string()
  .regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/)
  .meta({ description: 'Price of one coin, a decimal string.', example: '87416.72' });

const sourcesSchema = z.array(z.string()).meta({
  description: 'The markets whose median it is; `(local)` marks invented prices of a development stack.',
  example: ['binance', 'bitstamp', 'coinbase', 'kraken'],
});

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
