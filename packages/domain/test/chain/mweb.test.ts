import { describe, expect, test } from 'vitest';
import { readerOf } from '../../src/chain/byte-reader.ts';
import { kernelTxid, skipMwebTransaction } from '../../src/chain/mweb.ts';
import { ParseError } from '../../src/chain/parse-error.ts';

// The sizes of LIP 0003 to 0005, in bytes.
const zeros = (count: number): string => '00'.repeat(count);
const [HASH, COMMITMENT, KEY, SIGNATURE, PROOF] = [32, 33, 33, 64, 675];

const input = (features = '00', more = ''): string =>
  features + zeros(HASH + COMMITMENT + KEY) + more + zeros(SIGNATURE);
const output = (features = '00', more = ''): string =>
  zeros(COMMITMENT + 2 * KEY) + features + more + zeros(PROOF + SIGNATURE);
const kernel = (features = '00', more = ''): string => features + more + zeros(COMMITMENT + SIGNATURE);

const list = (items: string[]): string => items.length.toString(16).padStart(2, '0') + items.join('');
const withLongFee = (bytes: number): string => raw([], [], [kernel('01', `${'80'.repeat(bytes - 1)}01`)]);
const reversed = (text: string): string => Buffer.from(Buffer.from(text, 'hex').toReversed()).toString('hex');

function raw(inputs: string[], outputs: string[], kernels: string[]): string {
  return zeros(2 * HASH) + list(inputs) + list(outputs) + list(kernels);
}

/** How many bytes were passed, and which of them were taken for the first kernel. */
function skipped(text: string): { passed: number; kernel: string } {
  const bytes = Buffer.from(text, 'hex');
  const reader = readerOf(bytes);
  const { start, end } = skipMwebTransaction(reader);
  return { passed: reader.offset, kernel: bytes.subarray(start, end).toString('hex') };
}

describe('the extension of a transaction', () => {
  test.each<[string, string[], string[], string[]]>([
    ['one kernel and nothing else', [], [], [kernel()]],
    ['several of each', [input(), input()], [output(), output()], [kernel('01', '05'), kernel()]],
    ['an input with a stealth key', [input('01', zeros(KEY))], [], [kernel()]],
    ['an input with further data', [input('02', '03aabbcc')], [], [kernel()]],
    ['an output with its standard fields', [], [output('01', zeros(KEY + 1 + 8 + 16))], [kernel()]],
    ['an output with further data', [], [output('02', '02aabb')], [kernel()]],
    ['an output with both', [], [output('03', `${zeros(KEY + 1 + 8 + 16)}02aabb`)], [kernel()]],
    ['a kernel with a fee', [], [], [kernel('01', '8a05')]],
    ['a kernel that pegs in', [], [], [kernel('02', '8a8a05')]],
    ['a kernel that pegs out twice', [], [], [kernel('04', '028a0503aabbcc0501dd')]],
    ['a kernel with a height', [], [], [kernel('08', '8a05')]],
    ['a kernel with a stealth excess', [], [], [kernel('10', zeros(KEY))]],
    ['a kernel with further data', [], [], [kernel('20', '02aabb')]],
    ['a kernel with everything', [], [], [kernel('3f', `0506010701aa08${zeros(KEY)}01bb`)]],
  ])('is skipped completely: %s', (_title, inputs, outputs, kernels) => {
    const text = raw(inputs, outputs, kernels);
    expect(skipped(`${text}ff`)).toEqual({ passed: text.length / 2, kernel: kernels[0] });
  });

  test('is refused without a kernel', () => {
    expect(() => skipped(raw([input()], [output()], []))).toThrow('without a kernel');
  });

  test.each<[string, string]>([
    ['inputs', `${zeros(64)}02${input()}`],
    ['outputs', `${zeros(64)}0002${output()}`],
    ['kernels', `${zeros(64)}000002${kernel()}`],
  ])('is refused immediately if it claims more %s than there are bytes', (_title, text) => {
    expect(() => skipped(text)).toThrow('more items than bytes');
  });

  test('accepts varints of up to ten bytes', () => {
    expect(skipped(withLongFee(10)).passed).toBe(withLongFee(10).length / 2);
    expect(() => skipped(withLongFee(11))).toThrow(ParseError);
  });
});

test('the id of an MWEB-only transaction is the BLAKE3 hash of its first kernel', () => {
  // From the test vectors of BLAKE3: the hash of no bytes and of one zero byte.
  expect(kernelTxid(Buffer.alloc(3), { start: 1, end: 1 })).toBe(
    reversed('af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262'),
  );
  expect(kernelTxid(Buffer.alloc(3), { start: 1, end: 2 })).toBe(
    reversed('2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213'),
  );
});
