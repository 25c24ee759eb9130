import type { ChainNode } from '@paywatch/dev/nodes';

/** Brings a node to the chain of another one, up to this height (its tip by default), as peers would. */
export async function copyChain(from: ChainNode, to: ChainNode, upTo?: number): Promise<void> {
  const have = await to.rpc.getBlockCount();
  const hashes = await from.rpc.getBlockHashes(have + 1, upTo ?? (await from.rpc.getBlockCount()));
  for (const hash of hashes) await to.rpc.call('submitblock', await from.rpc.call('getblock', hash, 0));
  if ((await to.rpc.getBlockCount()) < have + hashes.length) throw new Error('a block was refused');
}
