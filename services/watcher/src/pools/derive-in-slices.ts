import { receiveAddresses, type ReceiveAddress, type ReceiveKey } from '@paywatch/domain/keys';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * About 2 ms of work. A new merchant's first invoice waits for some thirty turns of this process, so each millisecond counts
 * thirty times while other accounts derive.
 */
const SLICE = 3;

/** Derives `count` receive addresses from index `start` on, and yields to the event loop in between. */
export async function deriveInSlices(
  key: ReceiveKey,
  start: number,
  count: number,
): Promise<ReceiveAddress[]> {
  const addresses: ReceiveAddress[] = [];
  for (const address of receiveAddresses(key, start, count))
    if (addresses.push(address) % SLICE === 0) await nextTurn();
  return addresses;
}
