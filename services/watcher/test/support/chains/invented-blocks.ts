import { meetsTarget, parseBlockHeader } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import { createHash } from 'node:crypto';
import { makeTransaction, type SyntheticTransaction } from './synthetic-transaction.ts';

/** What is wrong with the blocks; `nothing` if they are valid. */
export type Flaw =
  'nothing' | 'no work' | 'easier target' | 'harder target' | 'too old' | 'wrong merkle root';

export type InventedBlock = { height: number; hash: string; header: Buffer; raw: Buffer };

const REGTEST_BITS = 0x207fffff;

/** Blocks on top of another one, one for each list of transactions, each with a coinbase. */
export function inventBlocks(
  currency: Currency,
  base: { height: number; hash: string; timeMs: number },
  contents: readonly (readonly SyntheticTransaction[])[],
  flaw: Flaw = 'nothing',
): InventedBlock[] {
  const blocks: InventedBlock[] = [];
  for (const [index, given] of contents.entries()) {
    const prevHash = blocks.at(-1)?.hash ?? base.hash;
    const transactions = [makeTransaction({ kind: 'coinbase' }), ...given];
    const seconds = flaw === 'too old' ? base.timeMs / 1000 - 86_400 : base.timeMs / 1000 + index + 1;
    const header = mineHeader(currency, prevHash, rootOf(transactions, flaw), seconds, flaw);
    const { hash } = parseBlockHeader(header);
    const raw = Buffer.concat([
      header,
      Buffer.of(transactions.length),
      ...transactions.map((each) => each.raw),
    ]);
    blocks.push({ height: base.height + index + 1, hash, header, raw });
  }
  return blocks;
}

function mineHeader(currency: Currency, prevHash: string, root: Buffer, seconds: number, flaw: Flaw): Buffer {
  const header = Buffer.alloc(80);
  header.writeUInt32LE(0x20000000, 0);
  header.set(Buffer.from(prevHash, 'hex').toReversed(), 4);
  header.set(root, 36);
  header.writeUInt32LE(seconds, 68);
  header.writeUInt32LE(
    { 'easier target': 0x2100ffff, 'harder target': 0x2000ffff }[flaw as string] ?? REGTEST_BITS,
    72,
  );
  const bits = header.readUInt32LE(72);
  for (let nonce = 0; meetsTarget(currency, header, bits) === (flaw === 'no work'); nonce += 1)
    header.writeUInt32LE(nonce, 76);
  return header;
}

function rootOf(transactions: readonly SyntheticTransaction[], flaw: Flaw): Buffer {
  if (flaw === 'wrong merkle root') return Buffer.alloc(32, 1);
  return merkleRoot(transactions.map(({ txid }) => Buffer.from(Buffer.from(txid, 'hex').toReversed())));
}

/** The merkle root of txids in the order in which they are hashed, by code apart from the product's. */
export function merkleRoot(level: readonly Buffer[]): Buffer {
  const [root] = level;
  if (!root) throw new Error('a block has a transaction');
  if (level.length === 1) return root;
  const lefts = level.filter((_, index) => index % 2 === 0);
  return merkleRoot(
    lefts.map((left, index) => hashTwice(Buffer.concat([left, level[2 * index + 1] ?? left]))),
  );
}

function hashTwice(bytes: Uint8Array): Buffer {
  return sha256(sha256(bytes));
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
