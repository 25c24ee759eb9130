import { Transaction } from 'bitcoinjs-lib';
import * as fc from 'fast-check';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addressToScript } from '../../src/chain/address.ts';
import { accepted } from '../values/expect-checked.ts';
import { ParseError } from '../../src/chain/parse-error.ts';
import { parseTransaction } from '../../src/chain/transaction.ts';
import {
  describedBlock,
  describedTransaction,
  expectedParts,
  parsedParts,
  rawSample,
} from './node-answers.ts';

const BTC_MEMPOOL = 'bitcoin/btc-tx-mempool';
const HOGEX = 'litecoin-mweb/ltc-hogex-435';
const PEG_IN = 'litecoin-mweb/ltc-pegin-mempool';
const PEG_OUT = 'litecoin-mweb/ltc-pegout-mempool';
const MWEB_TO_MWEB = 'litecoin-mweb/ltc-mweb2mweb-mempool';

/** With a description of their own. */
const DESCRIBED = [BTC_MEMPOOL, HOGEX, PEG_IN, PEG_OUT, MWEB_TO_MWEB];
/** Described in their blocks, at that position. */
const IN_BLOCKS = [
  ['ltc-coinbase', 'ltc-block-pegout', 0],
  ['ltc-plain-inblock', 'ltc-block-pegout', 1],
  ['ltc-hogex-435', 'ltc-block-pegout', 2],
  ['ltc-pegin-inblock', 'ltc-block432', 1],
  ['ltc-hogex-432', 'ltc-block432', 2],
] as const;
/** Read whole in block.test.ts. */
const BLOCKS = ['ltc-block-pegout', 'ltc-block432'];

const parseSample = (name: string) => parseTransaction(rawSample(name));

describe('transactions of real nodes', () => {
  test.each(DESCRIBED)('%s is read as its node reads it', (name) => {
    expect(parsedParts(parseSample(name))).toEqual(expectedParts(describedTransaction(name)));
  });

  test.each(IN_BLOCKS)('litecoin-mweb/%s is read as its node reads it', (name, block, position) => {
    const described = describedBlock(`litecoin-mweb/${block}`).tx[position];
    if (described === undefined) throw new Error('the sample is one of this block');
    expect(parsedParts(parseSample(`litecoin-mweb/${name}`))).toEqual(expectedParts(described));
  });
});

test("every MWEB sample is compared with its node's output", () => {
  const folder = new URL('../fixtures/litecoin-mweb/', import.meta.url);
  const samples = readdirSync(folder).filter((name) => name.endsWith('.hex'));
  const compared = [...DESCRIBED, ...IN_BLOCKS.map(([name]) => name), ...BLOCKS].map(
    (name) => `${name.split('/').at(-1)}.hex`,
  );
  expect(samples).not.toEqual([]);
  expect(samples.filter((name) => !compared.includes(name))).toEqual([]);
});

describe('a probe', () => {
  test.each([BTC_MEMPOOL, HOGEX, PEG_IN, PEG_OUT, MWEB_TO_MWEB, 'litecoin-mweb/ltc-coinbase'])(
    'is shown every script and every spent outpoint of %s, and nothing else',
    (name) => {
      const transaction = parseSample(name);
      const shown = { scripts: [] as string[], outpoints: [] as string[] };
      const isConcerned = transaction.concerns({
        mayPay: (bytes, start, end) => !shown.scripts.push(hexOf(bytes.subarray(start, end))),
        maySpend: (bytes, start, end) => !shown.outpoints.push(hexOf(bytes.subarray(start, end))),
      });
      expect(isConcerned).toBe(false);
      expect(shown.scripts).toEqual(transaction.outputs.map(({ script }) => hexOf(script)));
      expect(shown.outpoints).toEqual(transaction.inputs.map(serialized));
    },
  );

  test('returns true if any of them matches', () => {
    const transaction = parseSample(BTC_MEMPOOL);
    const [last] = transaction.outputs.slice(-1);
    const lastScript = hexOf(last?.script ?? new Uint8Array());
    const mayPay = (bytes: Uint8Array, start: number, end: number) =>
      hexOf(bytes.subarray(start, end)) === lastScript;
    expect(transaction.concerns({ mayPay, maySpend: () => false })).toBe(true);
    expect(transaction.concerns({ mayPay: () => false, maySpend: () => true })).toBe(true);
  });
});

describe('MWEB', () => {
  test('a HogEx is recognized, and its peg-out pays an ordinary address', () => {
    const hogEx = parseSample(HOGEX);
    expect(hogEx).toMatchObject({ isHogEx: true, hasMweb: false, isCoinbase: false });
    const [own, pegOut] = hogEx.outputs;
    expect(Buffer.from(own?.script ?? []).toString('hex')).toMatch(/^5820/);
    expect(pegOut?.amount).toBe(200_000_000n);
    const address = accepted(
      addressToScript('rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3', 'LTC', 'regtest'),
    );
    expect(Buffer.from(pegOut?.script ?? [])).toEqual(Buffer.from(address));
  });

  test('a peg-in has one txid in mempool and block', () => {
    const inMempool = parseSample(PEG_IN);
    const inBlock = parseSample('litecoin-mweb/ltc-pegin-inblock');
    expect(parsedParts(inMempool)).toEqual(parsedParts(inBlock));
    expect([inMempool.hasMweb, inBlock.hasMweb]).toEqual([true, false]);
    expect([inMempool.isHogEx, inBlock.isHogEx]).toEqual([false, false]);
  });

  test.each([PEG_OUT, MWEB_TO_MWEB])('%s shows no ordinary input or output', (name) => {
    expect(parseSample(name)).toMatchObject({ hasMweb: true, isHogEx: false, inputs: [], outputs: [] });
  });

  test('a peg-in that also pays an ordinary address shows that output', () => {
    const raw = rawSample(PEG_IN);
    const { txid } = parseTransaction(raw);
    // The one output of the sample stands between these; a second one is put behind it.
    const countAt = 6 + 1 + 41;
    const endOfOutputs = countAt + 1 + 8 + 1 + 34;
    expect(raw[countAt]).toBe(1);
    const change = Buffer.from(`e803000000000000160014${'ab'.repeat(20)}`, 'hex');
    const paying = Buffer.concat([raw.subarray(0, endOfOutputs), change, raw.subarray(endOfOutputs)]);
    paying[countAt] = 2;
    const parsed = parseTransaction(paying);
    expect(parsed.outputs.map((output) => output.amount)).toEqual([1_249_998_370n, 1000n]);
    expect(parsed.hasMweb).toBe(true);
    expect(parsed.txid).not.toBe(txid);
  });

  test.each([PEG_OUT, MWEB_TO_MWEB, PEG_IN])('%s cut off anywhere is refused', (name) => {
    const raw = rawSample(name);
    for (let length = 0; length < raw.length; length += 1) {
      expect(() => parseTransaction(raw.subarray(0, length))).toThrow(ParseError);
    }
  });
});

const bytes = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((array) => Buffer.from(array));
const uint32 = fc.nat({ max: 0xffffffff });
const anyInput = fc.record({
  hash: bytes(32, 32),
  index: uint32,
  script: bytes(0, 300),
  sequence: uint32,
  witness: fc.array(bytes(0, 80), { maxLength: 4 }),
});
const anyOutput = fc.record({
  script: bytes(0, 300),
  value: fc.bigInt({ min: 0n, max: 8_400_000_000_000_000n }),
});
const anyTransaction = fc
  .record({
    version: fc.nat({ max: 0x7fffffff }),
    locktime: uint32,
    inputs: fc.array(anyInput, { minLength: 1, maxLength: 6 }),
    outputs: fc.array(anyOutput, { minLength: 1, maxLength: 6 }),
  })
  .map(({ version, locktime, inputs, outputs }) => {
    const transaction = new Transaction();
    transaction.version = version;
    transaction.locktime = locktime;
    for (const { hash, index, sequence, script, witness } of inputs) {
      transaction.ins.push({ hash, index, sequence, script, witness });
    }
    for (const { script, value } of outputs) transaction.outs.push({ script, value });
    return transaction;
  });

describe('any transaction', () => {
  test('is read as bitcoinjs-lib reads it', () => {
    fc.assert(
      fc.property(anyTransaction, (expected) => {
        const parsed = parsedParts(parseTransaction(expected.toBuffer()));
        expect(parsed.txid).toBe(expected.getId());
        expect(parsed.isCoinbase).toBe(expected.isCoinbase());
        expect(parsed.inputs).toEqual(
          expected.ins.map(({ hash, index }) => ({
            txid: Buffer.from(hash.toReversed()).toString('hex'),
            vout: index,
          })),
        );
        expect(parsed.outputs).toEqual(
          expected.outs.map((output, vout) => ({
            vout,
            amount: output.value,
            script: Buffer.from(output.script).toString('hex'),
          })),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('is parsed the same from the middle of a buffer', () => {
    fc.assert(
      fc.property(anyTransaction, bytes(1, 9), (transaction, around) => {
        const raw = transaction.toBuffer();
        const whole = Buffer.concat([around, raw, around]);
        const within = new Uint8Array(whole.buffer, whole.byteOffset + around.length, raw.length);
        expect(parseTransaction(within).txid).toBe(transaction.getId());
      }),
    );
  });

  test('cut off anywhere is refused', () => {
    fc.assert(
      fc.property(anyTransaction, fc.nat(), (transaction, position) => {
        const raw = transaction.toBuffer();
        expect(() => parseTransaction(raw.subarray(0, position % raw.length))).toThrow(ParseError);
      }),
      { numRuns: 300 },
    );
  });

  test('with bytes after its end is refused', () => {
    fc.assert(
      fc.property(anyTransaction, bytes(1, 5), (transaction, tail) => {
        expect(() => parseTransaction(Buffer.concat([transaction.toBuffer(), tail]))).toThrow(ParseError);
      }),
    );
  });
});

/** What comes of parsing and of asking for everything: `read`, `refused` by name, or what went wrong. */
function outcomeOf(raw: Uint8Array): unknown {
  try {
    const { txid, inputs, outputs } = parseTransaction(raw);
    const isSound = /^[0-9a-f]{64}$/.test(txid) && inputs.length + outputs.length <= raw.length;
    return isSound ? 'read' : { txid, inputs, outputs };
  } catch (error) {
    return error instanceof ParseError ? 'refused' : error;
  }
}

const SOUND_OUTCOMES = ['read', 'refused'];

describe('invalid transaction bytes', () => {
  test('raise a ParseError or are parsed, never anything else', () => {
    fc.assert(
      fc.property(bytes(0, 400), (raw) => {
        expect(SOUND_OUTCOMES).toContain(outcomeOf(raw));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([BTC_MEMPOOL, HOGEX, PEG_IN, PEG_OUT])(
    '%s with any bits changed raises a ParseError or is parsed',
    (name) => {
      const raw = rawSample(name);
      const change = fc.tuple(fc.nat({ max: raw.length - 1 }), fc.integer({ min: 1, max: 255 }));
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
          const changed = Buffer.from(raw);
          for (const [at, bits] of changes) changed.writeUInt8(changed.readUInt8(at) ^ bits, at);
          expect(SOUND_OUTCOMES).toContain(outcomeOf(changed));
        }),
        { numRuns: 1000 },
      );
    },
  );

  const header = '02000000';
  const oneInput = `01${'11'.repeat(32)}0000000000ffffffff`;
  const oneOutput = `01${'01'.repeat(7)}0000`;
  test.each([
    ['nothing', ''],
    ['neither inputs nor outputs', `${header}000000000000`],
    ['no inputs', `${header}0001000100000000000000000000000000`],
    ['no outputs', `${header}${oneInput}0000000000`],
    ['flags that name nothing', `${header}0000${oneInput}${oneOutput}00000000`],
    ['an unknown flag', `${header}0002${oneInput}${oneOutput}00000000`],
    ['a witness flag without a witness', `${header}0001${oneInput}${oneOutput}0000000000`],
    ['an unknown MWEB form', `${header}0008${oneInput}${oneOutput}0200000000`],
    ['2^32 - 1 inputs', `${header}feffffffff${'00'.repeat(60)}`],
    ['2^53 - 1 inputs', `${header}ffffffffffffff1f00${'00'.repeat(60)}`],
    ['2^64 - 1 inputs', `${header}ffffffffffffffffff${'00'.repeat(60)}`],
    ['2^32 - 1 outputs', `${header}${oneInput}feffffffff${'00'.repeat(60)}`],
    ['a count longer than it needs to be', `${header}fd0100${oneInput.slice(2)}${oneOutput}00000000`],
    ['an amount above 2^53', `${header}${oneInput}0100000000000020000000000000`],
  ])('%s is refused', (_title, hex) => {
    expect(() => parseTransaction(Buffer.from(hex, 'hex'))).toThrow(ParseError);
  });

  test('the smallest transaction is read', () => {
    const raw = Buffer.from(`${header}${oneInput}${oneOutput}00000000`, 'hex');
    expect(parseTransaction(raw).outputs).toHaveLength(1);
  });

  test('a transaction with many outputs of the smallest size is read', () => {
    const outputs = `08${'00'.repeat(8 * 9)}`;
    const raw = Buffer.from(`${header}${oneInput}${outputs}00000000`, 'hex');
    expect(parseTransaction(raw).outputs).toHaveLength(8);
  });
});

function hexOf(part: Uint8Array): string {
  return Buffer.from(part).toString('hex');
}

function serialized({ txid, vout }: { txid: string; vout: number }): string {
  const outpoint = Buffer.alloc(36);
  outpoint.set(Buffer.from(txid, 'hex').toReversed());
  outpoint.writeUInt32LE(vout, 32);
  return hexOf(outpoint);
}
