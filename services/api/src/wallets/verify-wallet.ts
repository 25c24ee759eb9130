import { addressToScript, type Network } from '@paywatch/domain/chain';
import type { ReceiveAddress } from '@paywatch/domain/keys';
import { AppError } from '@paywatch/domain/requests';
import type { Currency } from '@paywatch/domain/values';
import { byCredential } from '@paywatch/store/accounts';
import { findWallet, verifyWallet as markVerified, type Wallet } from '@paywatch/store/pools';
import type { Credential } from '@paywatch/store/redis';
import { actorOf } from '../caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../validation-problem.ts';
import type { AddressQuestion, AddressSearch } from './address-search.ts';
import { assertReceiveAddress } from './assert-receive-address.ts';
import { deriveInChunks } from './derive-in-chunks.ts';

/** The addresses of the first invoices are there with the answer; a watcher derives the rest of the window. */
const FIRST_ADDRESSES = 20;
/** More registrations than this do not come in between by chance. */
const MAX_TRIES = 5;

/**
 * Lets the registered wallet serve once an address that the merchant's own software shows turns out to be one of its
 * receive addresses: key, script type and path are then right. Verifying again changes nothing.
 * Throws AppError `wallet_not_found`, `address_mismatch`, `validation_error` or
 * `service_unavailable`.
 */
export async function verifyWallet(
  dependencies: Pick<Dependencies, 'store' | 'config'> & { search: AddressSearch },
  caller: Credential,
  given: { currency: Currency; address: string },
): Promise<Wallet> {
  const { store, config, search } = dependencies;
  const network = config.networks[given.currency];
  const script = addressToScript(given.address, given.currency, network);
  if (!script.ok) throw invalidField('body.address', script.problem.message);
  const lookFor = (question: AddressQuestion) => search(caller.projectId, question);
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const wallet = await findWallet(store, caller.projectId, given.currency);
    if (wallet === null) throw new AppError('wallet_not_found');
    await assertReceiveAddress({ store, lookFor }, network, wallet, script.value);
    if (wallet.isVerified) return wallet;
    const addresses = await deriveFirst(wallet, network);
    const first = { addresses, accountAddresses: config.env.ACCOUNT_ADDRESSES };
    // False: another registration took its place between reading and writing; that one was not compared.
    const authorize = byCredential(caller);
    if (await markVerified(store, authorize, caller.projectId, wallet, actorOf(caller), first)) {
      // Read again: only now the project may learn what its pool's owner has set.
      return (await findWallet(store, caller.projectId, given.currency)) ?? wallet;
    }
  }
  throw new AppError('service_unavailable', 'The wallet is being changed.', { retryAfterSeconds: 1 });
}

/** None where a watcher has derived them since the registration. */
async function deriveFirst(wallet: Wallet, network: Network): Promise<ReceiveAddress[]> {
  const { derivedUntil, nextIndex } = wallet;
  return deriveInChunks({ ...wallet, network }, derivedUntil, nextIndex + FIRST_ADDRESSES - derivedUntil);
}
