import type { Currency } from '../wallet/regtest-address.ts';

/** The number of blocks to mine, and the chain; both chains without a currency. */
export type MineRequest = { currency?: Currency; count: number };

const MOST_BLOCKS = 1000;

/** Parses `[BTC | LTC] [number of blocks]`, in any order. Throws an error that describes valid input. */
export function parseMineRequest(words: readonly string[]): MineRequest {
  const request: MineRequest = { count: 1 };
  for (const word of words) {
    const name = word.toUpperCase();
    if (name === 'BTC' || name === 'LTC') request.currency = name;
    else if (/^[1-9]\d{0,3}$/.test(word) && Number(word) <= MOST_BLOCKS) request.count = Number(word);
    else throw new Error(`"${word}" is neither BTC, LTC nor a number of blocks up to ${MOST_BLOCKS}`);
  }
  return request;
}
