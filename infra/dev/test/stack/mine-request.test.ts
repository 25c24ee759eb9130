import { expect, test } from 'vitest';
import { parseMineRequest } from '../../src/stack/mine-request.ts';

test.each([
  [[], { count: 1 }],
  [['ltc'], { currency: 'LTC', count: 1 }],
  [['BTC', '6'], { currency: 'BTC', count: 6 }],
  [['1000', 'BTC'], { currency: 'BTC', count: 1000 }],
])('parses %j', (words, request) => expect(parseMineRequest(words)).toEqual(request));

test.each(['DOGE', '0', '-1', '1001', '1e3', '0x10'])(
  '%j is rejected with a description of valid input',
  (word) =>
    expect(() => parseMineRequest([word])).toThrow(`"${word}" is neither BTC, LTC nor a number of blocks`),
);
