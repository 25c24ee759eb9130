import { deriveReceiveAddresses, type ReceiveAddress, type ReceiveKey } from '@paywatch/domain/keys';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** About 10 ms during which no other request is served. */
const CHUNK = 10;

/** Derives `count` receive addresses from index `start` on, none for a negative count, and serves other requests in between. */
export async function deriveInChunks(
  key: ReceiveKey,
  start: number,
  count: number,
): Promise<ReceiveAddress[]> {
  const addresses: ReceiveAddress[] = [];
  for (let done = 0; done < count; done += CHUNK) {
    addresses.push(...deriveReceiveAddresses(key, start + done, Math.min(CHUNK, count - done)));
    await nextTurn();
  }
  return addresses;
}
