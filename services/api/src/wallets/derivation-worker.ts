/** The thread that derives addresses for requests; derivation-thread.ts is its counterpart in the main thread. */
import {
  deriveReceiveAddresses,
  findAddress,
  type AddressMatch,
  type ReceiveAddress,
  type ReceiveKey,
} from '@paywatch/domain/keys';
import { parentPort } from 'node:worker_threads';

/** Looks for a script among the addresses of a key. `nextIndex`: see `Wallet`. */
export type AddressSearch = { key: ReceiveKey; script: Uint8Array; nextIndex: number };

/** Consecutive receive addresses of a key. */
export type AddressRange = { key: ReceiveKey; start: number; count: number };

export type DerivationTask = ({ kind: 'search' } & AddressSearch) | ({ kind: 'derive' } & AddressRange);

/** How far past `nextIndex` an address may be: wallet software shows addresses that were not leased yet. */
const AHEAD = 20;
/** How far below `nextIndex` the search goes in a wallet that starts at a high index. */
const BEHIND = 200;
/** The first indexes of a wallet are searched on every usual branch and under every script type. */
const FIRST_INDEXES = AHEAD + 1;

parentPort?.on('message', (task: DerivationTask) => parentPort?.postMessage(runTask(task), []));

function runTask(task: DerivationTask): AddressMatch | null | ReceiveAddress[] {
  if (task.kind === 'search') return cachedSearch(task);
  return deriveReceiveAddresses(task.key, task.start, task.count);
}

/** Merchants repeat a verification that failed, and a search takes up to 300 ms. */
const MAX_CACHED = 1000;
const cache = new Map<string, AddressMatch | null>();

function cachedSearch({ key, script, nextIndex }: AddressSearch): AddressMatch | null {
  const name = JSON.stringify([key, Buffer.from(script).toString('hex'), nextIndex]);
  const cached = cache.get(name);
  if (cached !== undefined) return cached;
  const match = search({ key, script, nextIndex });
  cache.set(name, match);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  return match;
}

/** Derives every index of the wallet's branch once: a derivation takes a millisecond or more. */
function search({ key, script, nextIndex }: AddressSearch): AddressMatch | null {
  return (
    findAddress(key, script, 0, FIRST_INDEXES) ??
    findReceiveAddress(key, script, Math.max(FIRST_INDEXES, nextIndex - BEHIND), nextIndex + AHEAD)
  );
}

function findReceiveAddress(
  key: ReceiveKey,
  script: Uint8Array,
  first: number,
  last: number,
): AddressMatch | null {
  const addresses = deriveReceiveAddresses(key, first, last - first + 1);
  const found = addresses.find((address) => Buffer.compare(address.script, script) === 0);
  if (found === undefined) return null;
  const { branch, scriptType } = key;
  return { index: found.index, branch, scriptType, isReceiveAddress: true };
}
