import type { SeededRandom } from '@paywatch/dev/testing';
import { Block, Transaction } from 'bitcoinjs-lib';
import { createHash } from 'node:crypto';

/** A block as a node serializes it. Hashes are display hex. */
export type SyntheticBlock = {
  bytes: Buffer;
  hash: string;
  prevHash: string;
  timeMs: number;
  transactionCount: number;
  outputCount: number;
};

/** A block is filled until it has both: the size of a full mainnet block. */
const MIN_BYTES = 1_600_000;
const MIN_OUTPUTS = 5_000;

/**
 * Generates a block of transactions in the usual mix of kinds. Some of its outputs pay `paidScripts`, each once; the others pay
 * random scripts. Signatures are random bytes of the usual lengths, because scanning does not check them.
 */
export function makeBlock(
  random: SeededRandom,
  { prevHash, paidScripts }: { prevHash: string; paidScripts: readonly Uint8Array[] },
): SyntheticBlock {
  const bytesOf = randomBytesFrom(random);
  const paid = [...paidScripts];
  const script = (): Uint8Array => otherScript(random, bytesOf);
  const transactions = [coinbase(bytesOf)];
  let size = 0;
  let outputs = 1;
  while (size < MIN_BYTES || outputs < MIN_OUTPUTS || paid.length > 0) {
    const kind = random.pick(KINDS);
    const scripts = Array.from({ length: kind.outputs }, script);
    // Spread over the block; the loop continues until all are paid. No transaction pays two of them.
    const next = random.happens((2 * paidScripts.length * kind.outputs) / MIN_OUTPUTS)
      ? paid.pop()
      : undefined;
    if (next) scripts[random.integer(scripts.length)] = next;
    const transaction = transactionOf(kind, scripts, random, bytesOf);
    transactions.push(transaction);
    size += transaction.byteLength();
    outputs += scripts.length;
  }
  const timeMs = Math.floor(Date.now() / 1000) * 1000;
  const header = headerOf(prevHash, Block.calculateMerkleRoot(transactions), timeMs, bytesOf);
  const body = transactions.map((transaction) => transaction.toBuffer());
  return {
    bytes: Buffer.concat([header, compactSize(transactions.length), ...body]),
    hash: Buffer.from(doubleSha256(header).toReversed()).toString('hex'),
    prevHash,
    timeMs,
    transactionCount: transactions.length,
    outputCount: outputs,
  };
}

/** A kind of transaction: its number of inputs and outputs, and the lengths of each input's script and witness items. */
type Kind = { inputs: number; outputs: number; scriptSig: number; witness: readonly number[] };

const SIGNATURE = 72;
const PUBLIC_KEY = 33;
const SEGWIT = { scriptSig: 0, witness: [SIGNATURE, PUBLIC_KEY] };
const NESTED = { scriptSig: 23, witness: [SIGNATURE, PUBLIC_KEY] };
const LEGACY = { scriptSig: SIGNATURE + PUBLIC_KEY + 2, witness: [] };
const TAPROOT = { scriptSig: 0, witness: [64] };
const INSCRIPTION = { scriptSig: 0, witness: [64, 300, 33] };
const MULTISIG = { scriptSig: 0, witness: [0, SIGNATURE, SIGNATURE, 105] };

/** The mix: about two inputs and two and a half outputs per transaction, as on mainnet. */
const KINDS: readonly Kind[] = [
  ...times(5, { ...SEGWIT, inputs: 1, outputs: 2 }),
  ...times(4, { ...SEGWIT, inputs: 2, outputs: 2 }),
  ...times(1, { ...SEGWIT, inputs: 4, outputs: 2 }),
  ...times(2, { ...LEGACY, inputs: 1, outputs: 2 }),
  ...times(2, { ...LEGACY, inputs: 3, outputs: 2 }),
  ...times(2, { ...NESTED, inputs: 2, outputs: 2 }),
  ...times(2, { ...TAPROOT, inputs: 1, outputs: 2 }),
  ...times(1, { ...INSCRIPTION, inputs: 1, outputs: 1 }),
  ...times(2, { ...MULTISIG, inputs: 2, outputs: 2 }),
  // Batch payouts and consolidations of exchanges.
  ...times(1, { ...SEGWIT, inputs: 1, outputs: 12 }),
  ...times(1, { ...SEGWIT, inputs: 15, outputs: 1 }),
];

function times(count: number, kind: Kind): Kind[] {
  return Array.from({ length: count }, () => kind);
}

type BytesOf = (length: number) => Buffer;

function transactionOf(
  { inputs, scriptSig, witness }: Kind,
  scripts: readonly Uint8Array[],
  random: SeededRandom,
  bytesOf: BytesOf,
): Transaction {
  const transaction = new Transaction();
  transaction.version = 2;
  for (let index = 0; index < inputs; index += 1) {
    transaction.addInput(bytesOf(32), random.integer(3), 0xfffffffd, bytesOf(scriptSig));
    if (witness.length > 0) transaction.setWitness(index, witness.map(bytesOf));
  }
  for (const script of scripts) transaction.addOutput(script, BigInt(1000 + random.integer(100_000_000)));
  return transaction;
}

/** A coinbase with the witness commitment of BIP 141. */
function coinbase(bytesOf: BytesOf): Transaction {
  const transaction = new Transaction();
  transaction.addInput(Buffer.alloc(32), 0xffffffff, 0xffffffff, bytesOf(20));
  transaction.setWitness(0, [Buffer.alloc(32)]);
  transaction.addOutput(Buffer.concat([Buffer.from('0014', 'hex'), bytesOf(20)]), 312_500_000n);
  transaction.addOutput(Buffer.concat([Buffer.from('6a24aa21a9ed', 'hex'), bytesOf(32)]), 0n);
  return transaction;
}

/** A random output script, in roughly mainnet's mix of types. */
function otherScript(random: SeededRandom, bytesOf: BytesOf): Buffer {
  const share = random.fraction();
  if (share < 0.42) return scriptOf('0014', bytesOf(20));
  if (share < 0.66) return scriptOf('5120', bytesOf(32));
  if (share < 0.79) return scriptOf('76a914', bytesOf(20), '88ac');
  if (share < 0.91) return scriptOf('a914', bytesOf(20), '87');
  if (share < 0.94) return scriptOf('0020', bytesOf(32));
  return scriptOf('6a14', bytesOf(20));
}

function scriptOf(prefix: string, hash: Buffer, suffix = ''): Buffer {
  return Buffer.concat([Buffer.from(prefix, 'hex'), hash, Buffer.from(suffix, 'hex')]);
}

/** version(4) previous hash(32) merkle root(32) time(4) bits(4) nonce(4). */
function headerOf(prevHash: string, merkleRoot: Uint8Array, timeMs: number, bytesOf: BytesOf): Buffer {
  const header = Buffer.alloc(80);
  header.writeInt32LE(0x20000000, 0);
  header.set(Buffer.from(prevHash, 'hex').toReversed(), 4);
  header.set(merkleRoot, 36);
  header.writeUInt32LE(timeMs / 1000, 68);
  header.set(bytesOf(8), 72);
  return header;
}

function compactSize(value: number): Buffer {
  const bytes = Buffer.alloc(3, 0xfd);
  bytes.writeUInt16LE(value, 1);
  return bytes;
}

/** Expands the seeded generator's output with SHA-512, because the generator returns only four bytes per call. */
function randomBytesFrom(random: SeededRandom): BytesOf {
  let left = Buffer.alloc(0);
  return (length) => {
    while (left.length < length) {
      const drawn = Array.from({ length: 4 }, () => random.integer(2 ** 32)).join();
      left = Buffer.concat([left, createHash('sha512').update(drawn).digest()]);
    }
    const bytes = left.subarray(0, length);
    left = left.subarray(length);
    return bytes;
  };
}

function doubleSha256(bytes: Buffer): Buffer {
  const once = createHash('sha256').update(bytes).digest();
  return createHash('sha256').update(once).digest();
}
