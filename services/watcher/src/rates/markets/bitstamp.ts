import { z } from 'zod';
import { type Market, symbolOf } from './market.ts';

const SYMBOLS = {
  BTC: { EUR: 'btceur', USD: 'btcusd', GBP: 'btcgbp' },
  LTC: { EUR: 'ltceur', USD: 'ltcusd', GBP: 'ltcgbp' },
};
const answerSchema = z.object({
  bid: z.string(),
  ask: z.string(),
  timestamp: z
    .string()
    .regex(/^[0-9]{1,12}$/)
    .transform((seconds) => Number(seconds) * 1000),
});

/** https://www.bitstamp.net/api/#tag/Tickers */
export const bitstamp: Market = {
  name: 'bitstamp',
  pathOf: (pair) => {
    const symbol = symbolOf(SYMBOLS, pair);
    return symbol && `/api/v2/ticker/${symbol}/`;
  },
  read: (answer) => {
    const { bid, ask, timestamp } = answerSchema.parse(answer);
    return { bid, ask, timeMs: timestamp };
  },
};
