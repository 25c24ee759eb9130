export { CURRENCIES, type Currency } from './coins.ts';
export { formatCoins, parseCoins } from './money.ts';
export { publicId } from './public-id.ts';
