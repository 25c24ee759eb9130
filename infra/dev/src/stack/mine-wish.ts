import type { Currency } from '../wallet/regtest-address.ts';

/** What somebody wants mined; both chains where no currency is named. */
export type MineWish = { currency?: Currency; count: number };

const MOST_BLOCKS = 1000;

/** Reads `[BTC | LTC] [number of blocks]`, in any order. Throws what to type instead. */
export function parseMineWish(words: readonly string[]): MineWish {
  const wish: MineWish = { count: 1 };
  for (const word of words) {
    const name = word.toUpperCase();
    if (name === 'BTC' || name === 'LTC') wish.currency = name;
    else if (/^[1-9]\d{0,3}$/.test(word) && Number(word) <= MOST_BLOCKS) wish.count = Number(word);
    else throw new Error(`"${word}" is neither BTC, LTC nor a number of blocks up to ${MOST_BLOCKS}`);
  }
  return wish;
}
