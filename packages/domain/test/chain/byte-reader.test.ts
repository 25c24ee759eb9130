import { describe, expect, test } from 'vitest';
import {
  displayHash,
  readCompactSize,
  readCount,
  readerOf,
  readUint64,
  readUint8,
  skip,
  skipVarBytes,
} from '../../src/chain/byte-reader.ts';
import { ParseError } from '../../src/chain/parse-error.ts';

const hex = (text: string) => readerOf(Buffer.from(text, 'hex'));

describe('lengths and counts', () => {
  test.each<[string, number, number]>([
    ['00', 0, 1],
    ['fc', 0xfc, 1],
    ['fdfd00', 0xfd, 3],
    ['fdffff', 0xffff, 3],
    ['fe00000100', 0x1_0000, 5],
    ['feffffffff', 0xffff_ffff, 5],
    ['ff0000000001000000', 0x1_0000_0000, 9],
    ['ffffffffffffff1f00', Number.MAX_SAFE_INTEGER, 9],
  ])('%s is %d in %d bytes', (text, value, bytes) => {
    const reader = hex(`${text}aa`);
    expect(readCompactSize(reader)).toBe(value);
    expect(reader.offset).toBe(bytes);
    expect(readUint8(reader)).toBe(0xaa);
  });

  test.each(['fdfc00', 'feffff0000', 'ffffffffff00000000'])(
    '%s is refused: a shorter form exists',
    (text) => {
      expect(() => readCompactSize(hex(text))).toThrow('shortest form');
    },
  );

  test.each(['', 'fd', 'fdff', 'feffffff', 'ffffffffffffff1f'])('%s is refused: it is cut off', (text) => {
    expect(() => readCompactSize(hex(text))).toThrow('cut off');
  });

  test('above 2^53 - 1 are refused', () => {
    expect(readUint64(hex('ffffffffffff1f00'))).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => readUint64(hex('0000000000002000'))).toThrow('out of range');
  });

  test('of items are refused if the remaining bytes cannot hold that many', () => {
    expect(readCount(hex('02aabbccdd'), 2)).toBe(2);
    expect(() => readCount(hex('03aabbccdd'), 2)).toThrow('more items than bytes');
  });
});

describe('a reader', () => {
  test('skips the requested number of bytes, never past the end', () => {
    const reader = hex('aabbcc');
    expect(skip(reader, 2)).toBe(0);
    expect(skip(reader, 1)).toBe(2);
    expect(() => skip(reader, 1)).toThrow(ParseError);
    expect(() => readUint8(reader)).toThrow(ParseError);
  });

  test('skips length-prefixed bytes', () => {
    const reader = hex('02aabbcc');
    skipVarBytes(reader);
    expect(reader.offset).toBe(3);
    expect(() => skipVarBytes(hex('03aabb'))).toThrow(ParseError);
  });
});

test('hashes are shown last byte first', () => {
  const bytes = Buffer.from(Array.from({ length: 40 }, (_, index) => index));
  expect(displayHash(bytes, 4)).toBe(Buffer.from(bytes.subarray(4, 36).toReversed()).toString('hex'));
});
