import { deriveReceiveAddresses, type ReceiveAddress, type ReceiveKey } from '@paywatch/domain/keys';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** About 20 ms of work, which bounds the delay for everything else in this process. */
const SLICE = 20;

/** Derives `count` receive addresses from index `start` on, and yields to the event loop in between. */
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
