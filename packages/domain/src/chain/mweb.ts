import { blake3 } from '@noble/hashes/blake3.js';
import { type ByteReader, displayHash, readCount, readUint8, skip, skipVarBytes } from './byte-reader.ts';
import { ParseError } from './parse-error.ts';

// A transaction of Litecoin's MimbleWimble extension block (LIP 2, 3 and 4) is embedded in an ordinary one while in the
// mempool. Its inputs, outputs and amounts are hidden; it is parsed only to find its end and its first kernel.

const HASH = 32;
const PUBLIC_KEY = 33;
const COMMITMENT = 33;
const SIGNATURE = 64;
const RANGE_PROOF = 675;
const VIEW_TAG = 1;
const MASKED_VALUE = 8;
const MASKED_NONCE = 16;

const INPUT = { stealthKey: 0x01, extraData: 0x02 } as const;
const MESSAGE = { standardFields: 0x01, extraData: 0x02 } as const;
const KERNEL = {
  fee: 0x01,
  pegIn: 0x02,
  pegOut: 0x04,
  height: 0x08,
  stealthExcess: 0x10,
  extraData: 0x20,
} as const;

const MIN_INPUT = 1 + HASH + COMMITMENT + PUBLIC_KEY + SIGNATURE;
const MIN_OUTPUT = COMMITMENT + 2 * PUBLIC_KEY + 1 + RANGE_PROOF + SIGNATURE;
const MIN_KERNEL = 1 + COMMITMENT + SIGNATURE;

/** A range of bytes; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Skips an MWEB transaction and returns the range of its first kernel. */
export function skipMwebTransaction(reader: ByteReader): ByteRange {
  skip(reader, HASH); // kernel offset
  skip(reader, HASH); // stealth offset
  for (let left = readCount(reader, MIN_INPUT); left > 0; left -= 1) skipInput(reader);
  for (let left = readCount(reader, MIN_OUTPUT); left > 0; left -= 1) skipOutput(reader);
  const kernels = readCount(reader, MIN_KERNEL);
  if (kernels === 0) throw new ParseError('MWEB transaction without a kernel');
  const start = reader.offset;
  skipKernel(reader);
  const end = reader.offset;
  for (let left = kernels - 1; left > 0; left -= 1) skipKernel(reader);
  return { start, end };
}

/**
 * The txid that Litecoin Core 0.21 shows for a transaction with MWEB parts only: BLAKE3 of its first kernel.
 * Such a transaction never appears in a block under this or any other txid.
 */
export function kernelTxid(bytes: Buffer, kernel: ByteRange): string {
  return displayHash(Buffer.from(blake3(bytes.subarray(kernel.start, kernel.end))), 0);
}

function skipInput(reader: ByteReader): void {
  const features = readUint8(reader);
  skip(reader, HASH + COMMITMENT + PUBLIC_KEY);
  if (features & INPUT.stealthKey) skip(reader, PUBLIC_KEY);
  if (features & INPUT.extraData) skipVarBytes(reader);
  skip(reader, SIGNATURE);
}

function skipOutput(reader: ByteReader): void {
  skip(reader, COMMITMENT + 2 * PUBLIC_KEY);
  const features = readUint8(reader);
  if (features & MESSAGE.standardFields) skip(reader, PUBLIC_KEY + VIEW_TAG + MASKED_VALUE + MASKED_NONCE);
  if (features & MESSAGE.extraData) skipVarBytes(reader);
  skip(reader, RANGE_PROOF + SIGNATURE);
}

function skipKernel(reader: ByteReader): void {
  const features = readUint8(reader);
  if (features & KERNEL.fee) skipVarInt(reader);
  if (features & KERNEL.pegIn) skipVarInt(reader);
  if (features & KERNEL.pegOut) skipPegOuts(reader);
  if (features & KERNEL.height) skipVarInt(reader);
  if (features & KERNEL.stealthExcess) skip(reader, PUBLIC_KEY);
  if (features & KERNEL.extraData) skipVarBytes(reader);
  skip(reader, COMMITMENT + SIGNATURE);
}

function skipPegOuts(reader: ByteReader): void {
  for (let left = readCount(reader, 2); left > 0; left -= 1) {
    skipVarInt(reader);
    skipVarBytes(reader);
  }
}

// Not the length of the transaction format: seven bits a byte, the top bit set on all but the last. 2^63 takes nine.
const MAX_VARINT_BYTES = 10;

function skipVarInt(reader: ByteReader): void {
  for (let length = 1; readUint8(reader) >= 0x80; length += 1) {
    if (length === MAX_VARINT_BYTES) throw new ParseError('number too long');
  }
}
