import { expect, test } from 'vitest';
import { parseMineWish } from '../../src/stack/mine-wish.ts';

test.each([
  [[], { count: 1 }],
  [['ltc'], { currency: 'LTC', count: 1 }],
  [['BTC', '6'], { currency: 'BTC', count: 6 }],
  [['1000', 'BTC'], { currency: 'BTC', count: 1000 }],
])('%j is understood', (words, wish) => expect(parseMineWish(words)).toEqual(wish));

test.each(['DOGE', '0', '-1', '1001', '1e3', '0x10'])('%j is refused, with what to type instead', (word) =>
  expect(() => parseMineWish([word])).toThrow(`"${word}" is neither BTC, LTC nor a number of blocks`),
);
