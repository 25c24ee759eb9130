import type { ChainNode } from '@paywatch/dev/nodes';
import { z } from 'zod';
import { startTamperingNode, type TamperingNode } from './tampering-node.ts';

/** A node's RPC that claims to have pruned its blocks below a height: Core prunes files of 128 MB, too large for a test. */
export function startPrunedNode(node: ChainNode, prunedBelow: number): Promise<TamperingNode> {
  return startTamperingNode(node, async (method, params, result) => {
    if (method === 'getblockchaininfo') return { ...Object(result), pruned: true, pruneheight: prunedBelow };
    if (method === 'getblock' && (await heightOf(node, params[0])) < prunedBelow)
      throw new Error('Block not available (pruned data)');
    return result;
  });
}

async function heightOf(node: ChainNode, hash: unknown): Promise<number> {
  const header = await node.rpc.call('getblockheader', hash, true);
  return z.object({ height: z.number() }).parse(header).height;
}
