import {
  AppError,
  deriveReceiveAddress,
  deriveReceiveAddresses,
  findAddress,
  type AddressMatch,
  type Network,
  type ReceiveKey,
} from '@paywatch/domain';
import { findPoolIndex, type Store, type Wallet } from '@paywatch/store';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Merchants show an address that was never given out, too: the next ones that their wallet offers. */
const AHEAD = 20;
/** Of a wallet that begins at a high index, so many below it are looked at. */
const BEHIND = 200;
/** Derived in one turn of the event loop: about 10 ms during which no other request is served. */
const CHUNK = 10;

/**
 * Passes for a scriptPubKey of the wallet's receive branch: index 0, any that the pool knows, and up to 20 past the
 * next one. Throws AppError `address_mismatch`, which says where the address does belong if that is near.
 */
export async function assertReceiveAddress(
  store: Pick<Store, 'sql'>,
  network: Network,
  wallet: Wallet,
  script: Uint8Array,
): Promise<void> {
  const { currency, scriptType, branch, xpub, nextIndex } = wallet;
  const key: ReceiveKey = { currency, network, scriptType, branch, xpub };
  if (isSame(deriveReceiveAddress(key, 0).script, script)) return;
  if ((await findPoolIndex(store, wallet.poolId, script)) !== null) return;
  if (await isAmong(key, script, Math.max(1, nextIndex - BEHIND), nextIndex + AHEAD)) return;
  if (await isAmong(key, script, 1, AHEAD)) return;
  const match = await findNearby(key, script);
  throw new AppError('address_mismatch', match === null ? undefined : describe(match, key));
}

async function isAmong(key: ReceiveKey, script: Uint8Array, first: number, last: number): Promise<boolean> {
  for (let start = first; start <= last; start += CHUNK) {
    const count = Math.min(CHUNK, last - start + 1);
    const addresses = deriveReceiveAddresses(key, start, count);
    if (addresses.some((address) => isSame(address.script, script))) return true;
    await nextTurn();
  }
  return false;
}

/** The first addresses under every script type and on both usual branches. */
async function findNearby(key: ReceiveKey, script: Uint8Array): Promise<AddressMatch | null> {
  for (let start = 0; start <= AHEAD; start += CHUNK / 2) {
    const match = findAddress(key, script, start, CHUNK / 2);
    if (match !== null) return match;
    await nextTurn();
  }
  return null;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function describe(match: AddressMatch, key: ReceiveKey): string {
  const where = `The address belongs to this key at index ${match.index}`;
  if (match.scriptType !== key.scriptType) {
    return `${where}, but as ${match.scriptType}: the wallet is registered as ${key.scriptType}. Register it again with script_type ${match.scriptType}.`;
  }
  return `${where} of branch ${match.branch}: the wallet is registered with branch ${key.branch}. Give a receive address, or register it again with a derivation_path that ends in /${match.branch}.`;
}
