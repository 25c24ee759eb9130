import { parseTransaction, type ParsedTransaction } from '@paywatch/domain/chain';
import { randomBytes } from 'node:crypto';

/** What a transaction is to be. Amounts in minimal units. */
export type Draft = {
  /** Outpoints (`txid:vout`); a coin of its own when left out. */
  spends?: readonly string[];
  pays?: readonly { script: Uint8Array; amount: bigint }[];
  /** hogex: the last transaction of a litecoin block, whose outputs after the first are MWEB peg-outs. */
  kind?: 'ordinary' | 'coinbase' | 'hogex';
};

/** A serialised transaction, parsed as the watcher does. Not signed: only nodes check signatures. */
export type SyntheticTransaction = { txid: string; raw: Buffer; spends: string[]; parsed: ParsedTransaction };

/** An outpoint that no other transaction spends. */
export function newCoin(): string {
  return `${randomBytes(32).toString('hex')}:0`;
}

export function makeTransaction({
  spends = [newCoin()],
  pays = [],
  kind = 'ordinary',
}: Draft): SyntheticTransaction {
  const inputs = kind === 'coinbase' ? [coinbaseInput()] : spends.map(ordinaryInput);
  // Never without an output, which no node would relay.
  const outputs = [...pays, { script: Uint8Array.of(0x6a), amount: 0n }].map(output);
  const raw = Buffer.concat([
    uint32(2),
    ...(kind === 'hogex' ? [Buffer.of(0x00, 0x08)] : []),
    count(inputs.length),
    ...inputs,
    count(outputs.length),
    ...outputs,
    ...(kind === 'hogex' ? [Buffer.of(0x00)] : []),
    randomBytes(4),
  ]);
  const parsed = parseTransaction(raw);
  return { txid: parsed.txid, raw, spends: kind === 'coinbase' ? [] : [...spends], parsed };
}

function ordinaryInput(outpoint: string): Buffer {
  const [txid = '', vout = '0'] = outpoint.split(':');
  return Buffer.concat([
    Buffer.from(txid, 'hex').toReversed(),
    uint32(Number(vout)),
    Buffer.of(0),
    uint32(0xfffffffd),
  ]);
}

function coinbaseInput(): Buffer {
  return Buffer.concat([
    Buffer.alloc(32),
    uint32(0xffffffff),
    Buffer.of(4),
    randomBytes(4),
    uint32(0xffffffff),
  ]);
}

function output({ script, amount }: { script: Uint8Array; amount: bigint }): Buffer {
  const value = Buffer.alloc(8);
  value.writeBigUInt64LE(amount);
  return Buffer.concat([value, count(script.length), script]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A compact size, see the developer reference of Bitcoin. */
export function count(value: number): Buffer {
  if (value < 0xfd) return Buffer.of(value);
  const bytes = Buffer.alloc(3, 0xfd);
  bytes.writeUInt16LE(value, 1);
  return bytes;
}
