import { z } from 'zod';
import { type Market, symbolOf } from './market.ts';

/** No USD: Binance trades against dollar tokens, which are no dollars. */
const SYMBOLS = { BTC: { EUR: 'BTCEUR' }, LTC: { EUR: 'LTCEUR' } };
const answerSchema = z.object({
  symbol: z.string(),
  bidPrice: z.string(),
  askPrice: z.string(),
  closeTime: z.int().min(0),
});

/** https://developers.binance.com/docs/binance-spot-api-docs/rest-api/market-data-endpoints#24hr-ticker-price-change-statistics */
export const binance: Market = {
  name: 'binance',
  pathOf: (pair) => {
    const symbol = symbolOf(SYMBOLS, pair);
    return symbol && `/api/v3/ticker/24hr?symbol=${symbol}`;
  },
  read: (answer, pair) => {
    const { symbol, bidPrice, askPrice, closeTime } = answerSchema.parse(answer);
    if (symbol !== symbolOf(SYMBOLS, pair)) throw new Error('response is for another currency pair');
    return { bid: bidPrice, ask: askPrice, timeMs: closeTime };
  },
};
