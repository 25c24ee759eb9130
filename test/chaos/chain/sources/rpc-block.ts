import type { NodeRpc } from '@paywatch/dev/nodes';
import { z } from 'zod';

/** A block in the node's verbose format. */
export type RpcBlock = {
  hash: string;
  height: number;
  prevHash: string;
  timeMs: number;
  transactions: readonly RpcTransaction[];
};
/** Its inputs as `txid:vout`, and what it pays. */
export type RpcTransaction = {
  txid: string;
  claims: readonly string[];
  outputs: readonly { vout: number; amount: bigint; scriptHex: string }[];
};

const coins = z.number().transform((value) => BigInt(Math.round(value * 1e8)));
const blockShape = z.object({
  hash: z.string(),
  height: z.number(),
  time: z.number(),
  previousblockhash: z.string().optional(),
  tx: z.array(
    z.object({
      txid: z.string(),
      vin: z.array(z.object({ txid: z.string().optional(), vout: z.number().optional() })),
      vout: z.array(
        z.object({
          n: z.number().optional(),
          value: coins.optional(),
          scriptPubKey: z.object({ hex: z.string() }).optional(),
        }),
      ),
    }),
  ),
});

/** Reads a block by the node's verbose RPC alone. */
export async function readBlock(rpc: NodeRpc, hash: string): Promise<RpcBlock> {
  // bcoin takes "verbose" and "with transactions" as two booleans, Core as one number.
  const verbosity = rpc.kind === 'bcoin' ? [true, true] : [2];
  const block = blockShape.parse(await rpc.call('getblock', hash, ...verbosity));
  return {
    hash,
    height: block.height,
    prevHash: block.previousblockhash ?? '',
    timeMs: block.time * 1000,
    transactions: block.tx.map(({ txid, vin, vout }) => ({
      txid,
      claims: vin.flatMap((input) =>
        input.txid === undefined || input.vout === undefined ? [] : [`${input.txid}:${input.vout}`],
      ),
      outputs: vout.flatMap(({ n, value, scriptPubKey }) =>
        n === undefined || value === undefined || scriptPubKey === undefined
          ? []
          : [{ vout: n, amount: value, scriptHex: scriptPubKey.hex }],
      ),
    })),
  };
}
