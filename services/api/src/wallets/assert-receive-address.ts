import { addressToScript, type Network } from '@paywatch/domain/chain';
import type { AddressMatch, ReceiveKey } from '@paywatch/domain/keys';
import { AppError } from '@paywatch/domain/requests';
import type { Store } from '@paywatch/store';
import { findPoolIndex, type Wallet } from '@paywatch/store/pools';
import type { FoundAddress } from './address-search-worker.ts';
import type { AddressQuestion } from './address-search.ts';

/** Searches in the turn of the project that asks. */
type LookFor = (question: AddressQuestion) => Promise<FoundAddress>;

/**
 * Passes for a scriptPubKey of the wallet's receive branch: index 0, any that the pool knows, and up to 20 past the
 * next one. Throws AppError `address_mismatch`, which says where the address does belong if that is near.
 */
export async function assertReceiveAddress(
  { store, lookFor }: { store: Pick<Store, 'sql'>; lookFor: LookFor },
  network: Network,
  wallet: Wallet,
  script: Uint8Array,
): Promise<void> {
  const { currency, scriptType, branch, xpub, nextIndex } = wallet;
  const first = addressToScript(wallet.verificationAddress, currency, network);
  if (first.ok && isSame(first.value, script)) return;
  if ((await findPoolIndex(store, wallet.poolId, script)) !== null) return;
  const key: ReceiveKey = { currency, network, scriptType, branch, xpub };
  const { isOwn, nearby: match } = await lookFor({ key, script, nextIndex });
  if (isOwn) return;
  throw new AppError('address_mismatch', match === null ? undefined : describe(match, key));
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
