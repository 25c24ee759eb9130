import { ParseError } from './parse-error.ts';

/** A cursor over raw chain data. Each function below advances it, and throws ParseError if the bytes end too soon. */
export interface ByteReader {
  readonly bytes: Buffer;
  offset: number;
}

/** Starts at the first byte; the bytes are shared, not copied. */
export function readerOf(bytes: Uint8Array): ByteReader {
  return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
}

/** Decodes hex from a node. Throws ParseError on any other character, where Buffer would silently stop. */
export function bytesFromHex(hex: string): Buffer {
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length * 2 !== hex.length) throw new ParseError('not hex');
  return bytes;
}

/** Skips `count` bytes and returns the position where they start. */
export function skip(reader: ByteReader, count: number): number {
  const start = reader.offset;
  const end = start + count;
  if (end > reader.bytes.length) throw new ParseError('cut off');
  reader.offset = end;
  return start;
}

/** Reads one byte. */
export function readUint8(reader: ByteReader): number {
  const value = reader.bytes[reader.offset];
  if (value === undefined) throw new ParseError('cut off');
  reader.offset += 1;
  return value;
}

function readUint32(reader: ByteReader): number {
  return reader.bytes.readUInt32LE(skip(reader, 4));
}

const HIGH_WORD = 0x1_0000_0000;
// The high word of the largest integer that a JavaScript number represents exactly. No currency here has that many minimal
// units.
const MAX_SAFE_HIGH = 0x1f_ffff;

/** Reads a little-endian number of eight bytes. Throws ParseError above 2^53 - 1, which no length or amount reaches. */
export function readUint64(reader: ByteReader): number {
  const start = skip(reader, 8);
  const high = reader.bytes.readUInt32LE(start + 4);
  if (high > MAX_SAFE_HIGH) throw new ParseError('number out of range');
  return high * HIGH_WORD + reader.bytes.readUInt32LE(start);
}

/** Reads a length or count of one to nine bytes. Refuses a longer form than needed, as nodes do. */
export function readCompactSize(reader: ByteReader): number {
  const first = readUint8(reader);
  if (first < 0xfd) return first;
  if (first === 0xfd) return atLeast(0xfd, reader.bytes.readUInt16LE(skip(reader, 2)));
  if (first === 0xfe) return atLeast(0x1_0000, readUint32(reader));
  return atLeast(HIGH_WORD, readUint64(reader));
}

function atLeast(least: number, value: number): number {
  if (value < least) throw new ParseError('length not in its shortest form');
  return value;
}

/**
 * Reads the number of following items, each at least `minBytes` long. Throws ParseError at once if the remaining bytes cannot
 * hold them, so that an absurd count costs neither time nor memory.
 */
export function readCount(reader: ByteReader, minBytes: number): number {
  const count = readCompactSize(reader);
  if (count * minBytes > reader.bytes.length - reader.offset) throw new ParseError('more items than bytes');
  return count;
}

/** Skips bytes that are preceded by their length. */
export function skipVarBytes(reader: ByteReader): void {
  skip(reader, readCompactSize(reader));
}

/** Converts 32 bytes to the display form of txids and block hashes: hex, last byte first. */
export function displayHash(bytes: Buffer, start: number): string {
  REVERSED.set(bytes.subarray(start, start + 32));
  // oxlint-disable-next-line unicorn/no-array-reverse -- in place: the copy that it would save is this buffer
  return REVERSED.reverse().toString('hex');
}

// One scratch buffer, because blocks contain thousands of hashes; its use is synchronous.
const REVERSED = Buffer.alloc(32);
