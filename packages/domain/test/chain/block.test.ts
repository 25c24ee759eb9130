import { createHash } from 'node:crypto';
import { Transaction } from 'bitcoinjs-lib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBlockHeader } from '../../src/chain/block-header.ts';
import { parseBlock } from '../../src/chain/block.ts';
import { bytesFromHex } from '../../src/chain/byte-reader.ts';
import { ParseError } from '../../src/chain/parse-error.ts';
import { describedBlock, expectedParts, parsedParts, rawSample } from './node-answers.ts';
import { rawBlock } from './raw-block.ts';
import { costRatio } from '../support/cost-ratio.ts';

const BTC_BLOCK = 'bitcoin/btc-block';
const PEG_IN_BLOCK = 'litecoin-mweb/ltc-block432';
const PEG_OUT_BLOCK = 'litecoin-mweb/ltc-block-pegout';
const SAMPLES = [BTC_BLOCK, PEG_IN_BLOCK, PEG_OUT_BLOCK];

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** The merkle root of txids, by code apart from the parser's. */
function merkleRoot(txids: readonly string[]): string {
  let level: Buffer[] = txids.map((txid) => Buffer.from(Buffer.from(txid, 'hex').toReversed()));
  while (level.length > 1) {
    const pairs = level
      .filter((_, i) => i % 2 === 0)
      .map((left, i) => Buffer.concat([left, level[i * 2 + 1] ?? left]));
    level = pairs.map((pair) => sha256(sha256(pair)));
  }
  return Buffer.from((level[0] ?? Buffer.alloc(0)).toReversed()).toString('hex');
}

describe.each(SAMPLES)('%s', (name) => {
  const parsed = parseBlock(rawSample(name));
  const described = describedBlock(name);

  test('has the hash, parent and time that its node reports', () => {
    const { hash, prevHash, timeMs } = parsed;
    expect({ hash, prevHash, timeMs }).toEqual({
      hash: described.hash,
      prevHash: described.previousblockhash,
      timeMs: described.time * 1000,
    });
    expect(parseBlockHeader(rawSample(name).subarray(0, 80))).toEqual({
      hash,
      prevHash,
      timeMs,
      merkleRoot: described.merkleroot,
      bits: Number.parseInt(described.bits, 16),
    });
  });

  test('has the transactions that its node reports', () => {
    expect(parsed.transactions.map(parsedParts)).toEqual(described.tx.map(expectedParts));
  });

  test('has txids that the merkle root of its header commits to', () => {
    expect(merkleRoot(parsed.transactions.map((transaction) => transaction.txid))).toBe(described.merkleroot);
  });

  test('cut off anywhere before its MWEB data is refused', () => {
    const raw = rawSample(name);
    const end = name === BTC_BLOCK ? raw.length : raw.indexOf(rawSample(LAST_TRANSACTION[name] ?? '')) + 97;
    for (let length = 0; length < end; length += 1) {
      expect(() => parseBlock(raw.subarray(0, length))).toThrow(ParseError);
    }
  });
});

const LAST_TRANSACTION: Record<string, string> = {
  [PEG_IN_BLOCK]: 'litecoin-mweb/ltc-hogex-432',
  [PEG_OUT_BLOCK]: 'litecoin-mweb/ltc-hogex-435',
};

test('only the last transaction of an MWEB block is a HogEx, and its peg-out is found', () => {
  const { transactions } = parseBlock(rawSample(PEG_OUT_BLOCK));
  expect(transactions.map((transaction) => transaction.isHogEx)).toEqual([false, false, true]);
  expect(transactions.map((transaction) => transaction.isCoinbase)).toEqual([true, false, false]);
  expect(transactions.at(-1)?.outputs.at(-1)?.amount).toBe(200_000_000n);
});

describe('the bytes after the transactions', () => {
  const plain = rawSample('litecoin-mweb/ltc-plain-inblock');
  const hogEx = rawSample('litecoin-mweb/ltc-hogex-435');

  test('may be an extension block or its absence flag, after a HogEx', () => {
    for (const tail of [[], [0], [1, 2], [1, 2, 3]]) {
      expect(parseBlock(rawBlock([plain, hogEx], Buffer.from(tail))).transactions).toHaveLength(2);
    }
  });

  test.each([[[0, 0]], [[1]], [[2]]])('are refused after a HogEx if they are neither: %j', (tail) => {
    expect(() => parseBlock(rawBlock([plain, hogEx], Buffer.from(tail)))).toThrow(ParseError);
  });

  test.each([[[0]], [[1, 2, 3]]])('are refused after an ordinary transaction: %j', (tail) => {
    expect(() => parseBlock(rawBlock([hogEx, plain], Buffer.from(tail)))).toThrow(ParseError);
  });
});

test('a block of thousands of transactions is read whole and in order', () => {
  const count = 3000;
  const raw = Array.from({ length: count }, (_, lockTime) => {
    const transaction = new Transaction();
    transaction.locktime = lockTime;
    transaction.addInput(Buffer.alloc(32, 7), 0);
    transaction.addOutput(Buffer.alloc(22), 1n);
    return transaction;
  });
  const { transactions } = parseBlock(rawBlock(raw.map((transaction) => transaction.toBuffer())));
  expect(transactions.map((transaction) => transaction.txid)).toEqual(
    raw.map((transaction) => transaction.getId()),
  );
});

test('a block that contains only the shortest possible transaction is read', () => {
  const shortest = new Transaction();
  shortest.addInput(Buffer.alloc(32, 7), 0);
  shortest.addOutput(Buffer.alloc(0), 1n);
  const raw = shortest.toBuffer();
  expect(raw).toHaveLength(60);
  expect(parseBlock(rawBlock([raw])).transactions.map(({ txid }) => txid)).toEqual([shortest.getId()]);
});

test('a block that claims more transactions than it has bytes is refused at once', () => {
  expect(costRatio(refuseClaim('feffffffff'), refuseClaim('fe00010000'))).toBeLessThan(20);
});

/** What comes of parsing: how many transactions have a txid, or the error. */
function outcomeOf(raw: Uint8Array): unknown {
  try {
    return parseBlock(raw).transactions.filter(({ txid }) => txid.length === 64).length;
  } catch (error) {
    return error instanceof ParseError ? 'ParseError' : error;
  }
}

test.each(SAMPLES)('%s with any bits changed raises a ParseError or is parsed completely', (name) => {
  const raw = rawSample(name);
  const outcomes = ['ParseError', parseBlock(raw).transactions.length];
  fc.assert(
    fc.property(fc.nat({ max: raw.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, bits) => {
      const changed = Buffer.from(raw);
      changed.writeUInt8(changed.readUInt8(at) ^ bits, at);
      expect(outcomes).toContain(outcomeOf(changed));
    }),
    { numRuns: 1000 },
  );
});

test('only complete hex strings are decoded', () => {
  expect(bytesFromHex('00ffAB')).toEqual(Buffer.from([0, 255, 171]));
  for (const wrong of ['0', '0g', '00 ff', 'xx', '00\n'])
    expect(() => bytesFromHex(wrong)).toThrow(ParseError);
});

/** Refuses a block that claims so many transactions (a compact size in hex) in 100,000 bytes. */
function refuseClaim(count: string): () => void {
  const block = Buffer.concat([Buffer.alloc(80), Buffer.from(count, 'hex'), Buffer.alloc(100_000)]);
  return () => expect(() => parseBlock(block)).toThrow(ParseError);
}
