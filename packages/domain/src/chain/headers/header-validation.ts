import type { ParsedBlockHeader } from '../block-header.ts';
import type { ParsedBlock } from '../block.ts';
import { RETARGET_BLOCKS, type HeaderRules } from './consensus-rules.ts';
import { medianTimeMs, requiredBits, type ChainedHeader, type FindHeader } from './difficulty.ts';
import { merkleRootOf } from './merkle-root.ts';
import { meetsTarget } from './proof-of-work.ts';

/** BIP 94: by how much the first block of a period may be older than the previous block. */
const MAX_TIME_WARP_MS = 600_000;

/**
 * Why a header that names `parent` as its previous block breaks the rules that every node applies; null if it does not. `raw`
 * are the 80 bytes of `header`. `find` must know the headers below the parent down to `lowestNeeded`. A fault proves that no
 * honest node has the header in its chain.
 */
export function findHeaderFault(
  rules: HeaderRules,
  { raw, header }: { raw: Uint8Array; header: ParsedBlockHeader },
  parent: ChainedHeader,
  find: FindHeader,
): string | null {
  const required = requiredBits(rules, parent, header.timeMs, find);
  if (header.bits !== required)
    return `claims target ${hex(header.bits)}, the rules ask for ${hex(required)}`;
  if (header.timeMs <= medianTimeMs(parent, find))
    return 'is not later than the median of the eleven blocks below';
  const isPeriodStart = (parent.height + 1) % RETARGET_BLOCKS === 0;
  if (rules.hasBip94 && isPeriodStart && header.timeMs < parent.timeMs - MAX_TIME_WARP_MS)
    return 'begins a period more than ten minutes before the block below';
  return meetsTarget(rules.currency, raw, header.bits) ? null : 'does not meet its target';
}

/**
 * Why the transactions of a block do not match its header; null if they do. A block with repeated transactions has the merkle
 * root of the block without them (CVE-2012-2459).
 */
export function findBlockFault({ merkleRoot, transactions }: ParsedBlock): string | null {
  const { root, isMutated } = merkleRootOf(transactions.map(({ txid }) => txid));
  if (isMutated) return 'repeats transactions';
  if (root !== merkleRoot) return 'has other transactions than its header commits to';
  const isFirstAlone = transactions.every(({ isCoinbase }, index) => isCoinbase === (index === 0));
  return isFirstAlone ? null : 'has a coinbase in the wrong place';
}

function hex(bits: number): string {
  return bits.toString(16).padStart(8, '0');
}
