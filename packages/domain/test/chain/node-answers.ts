import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ParsedTransaction } from '../../src/chain/transaction.ts';
import { readJson } from '../support/read-json.ts';

// What real nodes answered for the raw samples beside them. MWEB inputs and outputs have an id instead of a place.
const input = z.object({
  txid: z.string().optional(),
  vout: z.int().optional(),
  coinbase: z.string().optional(),
});
const output = z.object({
  n: z.int().optional(),
  value: z.number().optional(),
  scriptPubKey: z.object({ hex: z.string() }).optional(),
});
const transaction = z.object({ txid: z.string(), vin: z.array(input), vout: z.array(output) });
const block = z.object({
  hash: z.string(),
  previousblockhash: z.string(),
  merkleroot: z.string(),
  bits: z.string(),
  time: z.int(),
  tx: z.array(transaction),
});

/** A transaction as a node described it. */
export type NodeTransaction = z.infer<typeof transaction>;
/** A block as a node described it. */
export type NodeBlock = z.infer<typeof block>;

/** The raw bytes of a sample, such as `bitcoin/btc-block`. */
export function rawSample(name: string): Buffer {
  return Buffer.from(readFileSync(new URL(`../fixtures/${name}.hex`, import.meta.url), 'utf8').trim(), 'hex');
}

/** What the node said of a transaction. */
export function describedTransaction(name: string): NodeTransaction {
  return transaction.parse(readJson(`../fixtures/${name}.verbose.json`));
}

/** What the node said of a block. */
export function describedBlock(name: string): NodeBlock {
  return block.parse(readJson(`../fixtures/${name}.verbose2.json`));
}

/** The ordinary inputs and outputs that the node listed, in the form of the parser. */
export function expectedParts({ txid, vin, vout }: NodeTransaction) {
  return {
    txid,
    inputs: vin.filter((one) => one.txid !== undefined).map((one) => ({ txid: one.txid, vout: one.vout })),
    outputs: vout
      .filter((one) => one.scriptPubKey !== undefined)
      // Nodes write amounts as floating-point numbers; these samples are small enough to be exact after rounding.
      .map((one) => ({
        vout: one.n,
        amount: BigInt(Math.round((one.value ?? NaN) * 1e8)),
        script: one.scriptPubKey?.hex,
      })),
    isCoinbase: vin.some((one) => one.coinbase !== undefined),
  };
}

/** The same of a parsed transaction, its scripts in hex. */
export function parsedParts({ txid, inputs, outputs, isCoinbase }: ParsedTransaction) {
  const withHex = outputs.map((one) => ({ ...one, script: Buffer.from(one.script).toString('hex') }));
  return { txid, inputs, outputs: withHex, isCoinbase };
}
