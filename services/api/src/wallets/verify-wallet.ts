import { addressToScript, type Network } from '@paywatch/domain/chain';
import type { ReceiveAddress } from '@paywatch/domain/keys';
import { AppError } from '@paywatch/domain/requests';
import { byRecentProof } from '@paywatch/store/accounts';
import { findWallet, verifyWallet as markVerified, type Wallet } from '@paywatch/store/pools';
import type { Credential } from '@paywatch/store/redis';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../invalid-field.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { assertReceiveAddress } from './assert-receive-address.ts';
import { openDerivationThread, type DerivationThread } from './derivation-thread.ts';
import type { AddressSearch } from './derivation-worker.ts';
import { walletView } from './wallet-view.ts';

/** Addresses stored with the verification, so that the first invoices need not wait for a watcher, which derives the rest. */
const FIRST_ADDRESSES = 20;
/** The wallet can be registered again in between; more often than this is no coincidence. */
const MAX_TRIES = 5;

/**
 * Verifies a registered wallet by an address that the merchant's own software shows: if it is one of the wallet's receive addresses, then
 * key, script type and path are right. It serves at once, or after a delay. Verifying again changes nothing.
 */
export function verifyWallet(dependencies: Dependencies): OperationHandler<'verifyWallet'> {
  const { store, config, closing } = dependencies;
  const thread = openDerivationThread(closing);
  return async ({ caller, params: { currency }, body: { address }, context }) => {
    const network = config.networks[currency];
    const script = addressToScript(address, currency, network);
    if (!script.ok) throw invalidField('body.address', script.problem.message);
    const search = (wanted: AddressSearch) => thread.search(caller.projectId, wanted);
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const wallet = await findWallet(store, caller.projectId, currency);
      if (wallet === null) throw new AppError('wallet_not_found');
      await assertReceiveAddress({ store, search }, network, wallet, script.value);
      const verified = wallet.isVerified
        ? wallet
        : await verify(dependencies, thread, { caller, ip: context.address }, wallet);
      if (verified !== null) return { status: 200, body: walletView(verified) };
    }
    throw new AppError('service_unavailable', 'The wallet is being changed.', { retryAfterSeconds: 1 });
  };
}

/** Null if the wallet was registered again meanwhile: the address was compared with the previous registration. */
async function verify(
  { store, config }: Dependencies,
  thread: DerivationThread,
  { caller, ip }: { caller: Credential; ip: string | null },
  wallet: Wallet,
): Promise<Wallet | null> {
  const { projectId } = caller;
  const first = {
    addresses: await deriveFirst(thread, projectId, wallet, config.networks[wallet.currency]),
    accountAddresses: config.env.ACCOUNT_ADDRESSES,
  };
  const authorize = byRecentProof(caller, ip);
  const delay = config.env.WALLET_CHANGE_DELAY;
  if (!(await markVerified(store, authorize, projectId, wallet, first, delay))) return null;
  // Read again: only a verified project may see the settings of the pool's owner.
  return (await findWallet(store, projectId, wallet.currency)) ?? wallet;
}

/** Empty if a watcher has derived them since the registration. */
async function deriveFirst(
  thread: DerivationThread,
  projectId: bigint,
  { derivedUntil, nextIndex, currency, scriptType, branch, xpub }: Wallet,
  network: Network,
): Promise<ReceiveAddress[]> {
  const key = { currency, network, scriptType, branch, xpub };
  const count = nextIndex + FIRST_ADDRESSES - derivedUntil;
  return thread.derive(projectId, { key, start: derivedUntil, count });
}
