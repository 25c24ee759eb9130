export {
  type Quote,
  type RateReading,
  RATE_MAX_AGE_MS,
  combineQuotes,
  isFreshQuote,
} from './combine-quotes.ts';
export { type RateState, type TakenRate, confirmRate } from './confirm-rate.ts';
export { type Price, priceInCoins } from './price-in-coins.ts';
export { formatRate, parseRate, RATE_DECIMALS } from './rate-value.ts';
