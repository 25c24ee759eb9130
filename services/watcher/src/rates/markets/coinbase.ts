import { z } from 'zod';
import { type Market, symbolOf } from './market.ts';

const SYMBOLS = {
  BTC: { EUR: 'BTC-EUR', USD: 'BTC-USD', GBP: 'BTC-GBP' },
  LTC: { EUR: 'LTC-EUR', USD: 'LTC-USD', GBP: 'LTC-GBP' },
};
const answerSchema = z.object({
  bid: z.string(),
  ask: z.string(),
  time: z.iso.datetime().transform((text) => Date.parse(text)),
});

/** https://docs.cdp.coinbase.com/api-reference/exchange-api/rest-api/products/get-product-ticker: the time of the last trade. */
export const coinbase: Market = {
  name: 'coinbase',
  pathOf: (pair) => {
    const symbol = symbolOf(SYMBOLS, pair);
    return symbol && `/products/${symbol}/ticker`;
  },
  read: (answer) => {
    const { bid, ask, time } = answerSchema.parse(answer);
    return { bid, ask, timeMs: time };
  },
};
