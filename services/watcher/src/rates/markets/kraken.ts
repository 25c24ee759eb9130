import { z } from 'zod';
import { type Market, symbolOf } from './market.ts';

/** The names of the pairs in Kraken's responses. */
const SYMBOLS = {
  BTC: {
    EUR: 'XXBTZEUR',
    USD: 'XXBTZUSD',
    GBP: 'XXBTZGBP',
    CAD: 'XXBTZCAD',
    JPY: 'XXBTZJPY',
    CHF: 'XBTCHF',
    AUD: 'XBTAUD',
  },
  LTC: { EUR: 'XLTCZEUR', USD: 'XLTCZUSD', GBP: 'LTCGBP' },
};
const level = z.tuple([z.string()], z.unknown());
const answerSchema = z.object({
  error: z.array(z.unknown()).max(0),
  result: z.record(z.string(), z.object({ a: level, b: level })),
});

/** https://docs.kraken.com/api/docs/rest-api/get-ticker-information: gives no time. */
export const kraken: Market = {
  name: 'kraken',
  pathOf: (pair) => {
    const symbol = symbolOf(SYMBOLS, pair);
    return symbol && `/0/public/Ticker?pair=${symbol}`;
  },
  read: (answer, pair) => {
    const { result } = answerSchema.parse(answer);
    const ticker = result[symbolOf(SYMBOLS, pair) ?? ''];
    if (ticker === undefined || Object.keys(result).length !== 1)
      throw new Error('response is for another currency pair');
    return { bid: ticker.b[0], ask: ticker.a[0], timeMs: null };
  },
};
