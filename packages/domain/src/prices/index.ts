export { type Quote, type RateReading, combineQuotes, isFreshQuote } from './combine-quotes.ts';
export { type RateState, type TakenRate, confirmRate, isUsableRate } from './confirm-rate.ts';
export { coinsInFiat } from './coins-in-fiat.ts';
export { type Price, priceInCoins } from './price-in-coins.ts';
export { formatRate, parseRate, RATE_DECIMALS } from './rate-value.ts';
