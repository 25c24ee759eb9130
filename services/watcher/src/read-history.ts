import type { ReceiveAddress, ReceiveKey } from '@paywatch/domain';
import type { PoolHistory, PoolToRefill } from '@paywatch/store';
import { deriveInSlices } from './derive-in-slices.ts';
import type { AddressHistories, SourceAddress } from './node/chain-source.ts';

/** Unused addresses in a row behind which nobody looks further, as wallets do; a wider gap limit does not widen it. */
const MOST_UNUSED = 200;

/**
 * Asks a source which receive addresses of a key have a history, from the first one on until as many unused ones in a row
 * as the pool's gap limit, at most 200. May take minutes. Rejects with ChainSourceError.
 */
export async function readHistory(
  histories: AddressHistories,
  key: ReceiveKey,
  { startIndex, gapLimit }: Pick<PoolToRefill, 'startIndex' | 'gapLimit'>,
): Promise<PoolHistory> {
  const used: number[] = [];
  const seen: number[] = [];
  const unusedAllowed = Math.min(gapLimit, MOST_UNUSED);
  // Index 0 is the verification address: what it received moves the window like any other.
  for (let next = startIndex; next <= lastOf(used, startIndex) + unusedAllowed; next += histories.atOnce) {
    const addresses = await deriveInSlices(key, next, histories.atOnce);
    const answers = await histories.read(addresses.map(toSourceAddress));
    addresses.forEach(({ index }, position) => {
      if (answers[position] === 'confirmed') used.push(index);
      if (answers[position] === 'unconfirmed') seen.push(index);
    });
  }
  return { used, seen };
}

function lastOf(used: readonly number[], startIndex: number): number {
  return used.at(-1) ?? startIndex - 1;
}

function toSourceAddress({ address, script }: ReceiveAddress): SourceAddress {
  return { address, script };
}
