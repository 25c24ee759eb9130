import { deriveReceiveAddresses, type ReceiveAddress, type ReceiveKey } from '@paywatch/domain/keys';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** About 20 ms of work: whatever else this process does waits no longer than that. */
const SLICE = 20;

/** Derives `count` receive addresses from index `start` on, and lets others have their turn in between. */
export async function deriveInSlices(
  key: ReceiveKey,
  start: number,
  count: number,
): Promise<ReceiveAddress[]> {
  const addresses: ReceiveAddress[] = [];
  for (let done = 0; done < count; done += SLICE) {
    addresses.push(...deriveReceiveAddresses(key, start + done, Math.min(SLICE, count - done)));
    await nextTurn();
  }
  return addresses;
}
