import {
  type ByteReader,
  displayHash,
  readCompactSize,
  readCount,
  readUint64,
  readUint8,
  readerOf,
  skip,
  skipVarBytes,
} from './byte-reader.ts';
import { doubleSha256 } from './hashes.ts';
import { type ByteRange, kernelTxid, skipMwebTransaction } from './mweb.ts';
import { ParseError } from './parse-error.ts';

/** An output that a transaction spends. */
export interface SpentOutpoint {
  /** Display hex. */
  readonly txid: string;
  readonly vout: number;
}

/** One output of a transaction. */
interface TransactionOutput {
  readonly vout: number;
  /** Minimal units. */
  readonly amount: bigint;
  /** The scriptPubKey: a view of the parsed bytes, to be copied where it is kept for long. */
  readonly script: Uint8Array;
}

/** The fields of a transaction that Paywatch reads. `txid` and `inputs` are computed on first use. */
export interface ParsedTransaction {
  /** Display hex. */
  readonly txid: string;
  /** The outputs it spends; none for a coinbase. */
  readonly inputs: readonly SpentOutpoint[];
  readonly outputs: readonly TransactionOutput[];
  readonly isCoinbase: boolean;
  /** Litecoin: the last transaction of a block, which pays MWEB peg-outs from its second output on. */
  readonly isHogEx: boolean;
  /**
   * Litecoin, mempool only: contains an MWEB transaction. One with MWEB parts only, such as a peg-out, shows no inputs and no
   * outputs, and never confirms under its txid.
   */
  readonly hasMweb: boolean;
  /** Whether the probe accepts any of its scripts or spent outpoints, without creating objects for them. */
  concerns(probe: TransactionProbe): boolean;
}

/** Tests parts of a transaction in place, from `start` to `end`. */
export interface TransactionProbe {
  /** Tests a scriptPubKey. */
  mayPay(bytes: Uint8Array, start: number, end: number): boolean;
  /** Tests the 36 bytes of a serialised outpoint: the txid in internal byte order, then the vout. */
  maySpend(bytes: Uint8Array, start: number, end: number): boolean;
}

/** Parses one raw transaction of Bitcoin or Litecoin. Throws ParseError, also for trailing bytes. */
export function parseTransaction(bytes: Uint8Array): ParsedTransaction {
  const reader = readerOf(bytes);
  const transaction = readTransaction(reader);
  if (reader.offset !== reader.bytes.length) throw new ParseError('bytes after the end of the transaction');
  return transaction;
}

/** Reads the transaction at the cursor, for the consecutive transactions of a block. Throws ParseError. */
export function readTransaction(reader: ByteReader): ParsedTransaction {
  const layout = readLayout(reader);
  const { inputCount, outputCount, extension } = layout;
  if (inputCount > 0 && outputCount > 0) return new OrdinaryTransaction(reader.bytes, layout);
  const isMwebOnly = inputCount === 0 && outputCount === 0 && isMwebTransaction(extension);
  if (!isMwebOnly) throw new ParseError('transaction without inputs or outputs');
  return mwebOnlyTransaction(reader.bytes, extension);
}

/** The positions of the parts of a transaction. */
interface Layout {
  readonly start: number;
  /** The position of the input count; the txid covers the bytes from here to `outputsEnd`. */
  readonly inputsStart: number;
  readonly inputCount: number;
  readonly outputsStart: number;
  readonly outputCount: number;
  readonly outputsEnd: number;
  readonly extension: Extension;
  readonly lockTimeStart: number;
}

/**
 * Only stores positions until it is asked: hashing, hex and objects cost more than everything else, and almost no transaction
 * of a block is relevant.
 */
class OrdinaryTransaction implements ParsedTransaction {
  readonly #bytes: Buffer;
  readonly #layout: Layout;
  readonly isCoinbase: boolean;
  #txid: string | undefined;
  #inputs: readonly SpentOutpoint[] | undefined;
  #outputs: readonly TransactionOutput[] | undefined;

  constructor(bytes: Buffer, layout: Layout) {
    this.#bytes = bytes;
    this.#layout = layout;
    this.isCoinbase = spendsNothing(bytes, layout);
  }

  get isHogEx(): boolean {
    return this.#layout.extension === 'hogex';
  }

  get hasMweb(): boolean {
    return isMwebTransaction(this.#layout.extension);
  }

  get txid(): string {
    return (this.#txid ??= txidOf(this.#bytes, this.#layout));
  }

  get inputs(): readonly SpentOutpoint[] {
    return (this.#inputs ??= this.isCoinbase ? [] : inputsOf(this.#bytes, this.#layout));
  }

  get outputs(): readonly TransactionOutput[] {
    return (this.#outputs ??= outputsOf(this.#bytes, this.#layout));
  }

  concerns(probe: TransactionProbe): boolean {
    return (
      pays(this.#bytes, this.#layout, probe) || (!this.isCoinbase && spends(this.#bytes, this.#layout, probe))
    );
  }
}

function mwebOnlyTransaction(bytes: Buffer, { firstKernel }: MwebTransaction): ParsedTransaction {
  let txid: string | undefined;
  return {
    outputs: [],
    inputs: [],
    isCoinbase: false,
    isHogEx: false,
    hasMweb: true,
    concerns: () => false,
    get txid() {
      return (txid ??= kernelTxid(bytes, firstKernel));
    },
  };
}

const FLAG_WITNESS = 0x01;
const FLAG_MWEB = 0x08;

/** version(4) [marker(1) = 0, flags(1)] inputs outputs [witnesses] [MWEB] locktime(4), see BIP 144 and LIP 2. */
function readLayout(reader: ByteReader): Layout {
  const start = skip(reader, 4);
  const flags = readFlags(reader);
  const inputsStart = reader.offset;
  const inputCount = skipInputs(reader);
  const outputsStart = reader.offset;
  const outputCount = skipOutputs(reader);
  const outputsEnd = reader.offset;
  if ((flags & FLAG_WITNESS) !== 0) skipWitnesses(reader, inputCount);
  const extension = (flags & FLAG_MWEB) === 0 ? null : readExtension(reader);
  const lockTimeStart = skip(reader, 4);
  return {
    start,
    inputsStart,
    inputCount,
    outputsStart,
    outputCount,
    outputsEnd,
    extension,
    lockTimeStart,
  };
}

/** A transaction has at least one input, so a zero in place of the input count marks the extended format. */
function readFlags(reader: ByteReader): number {
  if (reader.bytes[reader.offset] !== 0) return 0;
  skip(reader, 1);
  const flags = readUint8(reader);
  if (flags === 0 || (flags & ~(FLAG_WITNESS | FLAG_MWEB)) !== 0)
    throw new ParseError('unknown transaction format');
  return flags;
}

const OUTPOINT_BYTES = 36;
const SEQUENCE_BYTES = 4;
const MIN_INPUT_BYTES = OUTPOINT_BYTES + 1 + SEQUENCE_BYTES;
const AMOUNT_BYTES = 8;
const MIN_OUTPUT_BYTES = AMOUNT_BYTES + 1;

function skipInputs(reader: ByteReader): number {
  const count = readCount(reader, MIN_INPUT_BYTES);
  for (let left = count; left > 0; left -= 1) skipInput(reader);
  return count;
}

function skipInput(reader: ByteReader): void {
  skip(reader, OUTPOINT_BYTES);
  skipVarBytes(reader);
  skip(reader, SEQUENCE_BYTES);
}

function skipOutputs(reader: ByteReader): number {
  const count = readCount(reader, MIN_OUTPUT_BYTES);
  for (let left = count; left > 0; left -= 1) {
    readUint64(reader);
    skipVarBytes(reader);
  }
  return count;
}

function skipWitnesses(reader: ByteReader, inputCount: number): void {
  let itemCount = 0;
  for (let left = inputCount; left > 0; left -= 1) {
    const items = readCount(reader, 1);
    for (let item = 0; item < items; item += 1) skipVarBytes(reader);
    itemCount += items;
  }
  // Nodes refuse it, because it would be a second way to write the same transaction.
  if (itemCount === 0) throw new ParseError('witness flag without a witness');
}

/** An MWEB transaction inside an ordinary one; only its first kernel is used. */
interface MwebTransaction {
  readonly firstKernel: ByteRange;
}

/** What follows the witnesses of a Litecoin transaction with the MWEB flag; null without the flag. */
type Extension = MwebTransaction | 'hogex' | null;

function isMwebTransaction(extension: Extension): extension is MwebTransaction {
  return extension !== null && extension !== 'hogex';
}

function readExtension(reader: ByteReader): Extension {
  const presence = readUint8(reader);
  if (presence === 0) return 'hogex';
  if (presence !== 1) throw new ParseError('unknown MWEB format');
  return { firstKernel: skipMwebTransaction(reader) };
}

const NO_TXID = Buffer.alloc(32);
const NO_VOUT = 0xffffffff;

/** A coinbase has one input without a transaction; the same data in another position is no coinbase. */
function spendsNothing(bytes: Buffer, { inputsStart, inputCount }: Layout): boolean {
  const outpoint = inputsStart + 1;
  return (
    inputCount === 1 &&
    bytes.readUInt32LE(outpoint + 32) === NO_VOUT &&
    bytes.compare(NO_TXID, 0, 32, outpoint, outpoint + 32) === 0
  );
}

function inputsOf(bytes: Buffer, { inputsStart }: Layout): SpentOutpoint[] {
  const reader: ByteReader = { bytes, offset: inputsStart };
  const inputs: SpentOutpoint[] = [];
  for (let left = readCompactSize(reader); left > 0; left -= 1) {
    const start = reader.offset;
    inputs.push({ txid: displayHash(bytes, start), vout: bytes.readUInt32LE(start + 32) });
    skipInput(reader);
  }
  return inputs;
}

function outputsOf(bytes: Buffer, { outputsStart }: Layout): TransactionOutput[] {
  const reader: ByteReader = { bytes, offset: outputsStart };
  const count = readCompactSize(reader);
  const outputs: TransactionOutput[] = [];
  for (let vout = 0; vout < count; vout += 1) {
    const amount = BigInt(readUint64(reader));
    const length = readCompactSize(reader);
    const start = skip(reader, length);
    outputs.push({ vout, amount, script: bytes.subarray(start, start + length) });
  }
  return outputs;
}

function pays(bytes: Buffer, { outputsStart }: Layout, probe: TransactionProbe): boolean {
  const reader: ByteReader = { bytes, offset: outputsStart };
  for (let left = readCompactSize(reader); left > 0; left -= 1) {
    reader.offset += AMOUNT_BYTES;
    const length = readCompactSize(reader);
    const start = skip(reader, length);
    if (probe.mayPay(bytes, start, start + length)) return true;
  }
  return false;
}

function spends(bytes: Buffer, { inputsStart }: Layout, probe: TransactionProbe): boolean {
  const reader: ByteReader = { bytes, offset: inputsStart };
  for (let left = readCompactSize(reader); left > 0; left -= 1) {
    if (probe.maySpend(bytes, reader.offset, reader.offset + OUTPOINT_BYTES)) return true;
    skipInput(reader);
  }
  return false;
}

/** The txid excludes marker, flags, witnesses and MWEB, so that it is the same in mempool and block (BIP 141). */
function txidOf(bytes: Buffer, layout: Layout): string {
  const { start, inputsStart, outputsEnd, lockTimeStart } = layout;
  const isPlain = inputsStart === start + 4 && lockTimeStart === outputsEnd;
  const covered = isPlain
    ? bytes.subarray(start, lockTimeStart + 4)
    : Buffer.concat([
        bytes.subarray(start, start + 4),
        bytes.subarray(inputsStart, outputsEnd),
        bytes.subarray(lockTimeStart, lockTimeStart + 4),
      ]);
  return displayHash(doubleSha256(covered), 0);
}
