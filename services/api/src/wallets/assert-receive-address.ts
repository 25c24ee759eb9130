import { addressToScript, type Network } from '@paywatch/domain/chain';
import type { AddressMatch, ReceiveKey } from '@paywatch/domain/keys';
import { AppError } from '@paywatch/domain/requests';
import type { Store } from '@paywatch/store';
import { findPoolIndex, type Wallet } from '@paywatch/store/pools';
import type { AddressSearch } from './derivation-worker.ts';

type Lookups = {
  store: Pick<Store, 'sql'>;
  search: (search: AddressSearch) => Promise<AddressMatch | null>;
};

/**
 * Accepts a script of the wallet's receive branch: index 0, any index in its pool, and up to 20 past the next one. Throws AppError
 * `address_mismatch` for others, and reports where under the key the address is if it is among those searched.
 */
export async function assertReceiveAddress(
  { store, search }: Lookups,
  network: Network,
  wallet: Wallet,
  script: Uint8Array,
): Promise<void> {
  const { currency, scriptType, branch, xpub, nextIndex } = wallet;
  const first = addressToScript(wallet.verificationAddress, currency, network);
  if (first.ok && Buffer.compare(first.value, script) === 0) return;
  if ((await findPoolIndex(store, wallet.poolId, script)) !== null) return;
  const key: ReceiveKey = { currency, network, scriptType, branch, xpub };
  const match = await search({ key, script, nextIndex });
  if (match?.isReceiveAddress) return;
  throw new AppError('address_mismatch', match === null ? undefined : describe(match, key));
}

function describe(match: AddressMatch, key: ReceiveKey): string {
  const where = `The address belongs to this key at index ${match.index}`;
  if (match.scriptType !== key.scriptType) {
    return `${where}, but as ${match.scriptType}: the wallet is registered as ${key.scriptType}. Register it again with script_type ${match.scriptType}.`;
  }
  return `${where} of branch ${match.branch}: the wallet is registered with branch ${key.branch}. Give a receive address, or register it again with a derivation_path that ends in /${match.branch}.`;
}
