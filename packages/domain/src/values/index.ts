export { CURRENCIES, type Currency } from './coins.ts';
export { formatCoins, parseCoins } from './money.ts';
