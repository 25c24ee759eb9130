import { addressToScript, AppError, type Currency } from '@paywatch/domain';
import { findWallet, verifyWallet as markVerified, type Actor, type Wallet } from '@paywatch/store';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../validation-problem.ts';
import { assertReceiveAddress } from './assert-receive-address.ts';

/** More registrations than this do not come in between by chance. */
const MAX_TRIES = 5;

/**
 * Lets the registered wallet serve once an address that the merchant's own software shows turns out to be one of its
 * receive addresses: key, script type and path are then right. Verifying again changes nothing.
 * Throws AppError `wallet_not_found`, `address_mismatch` or `validation_error`.
 */
export async function verifyWallet(
  dependencies: Dependencies,
  given: { projectId: bigint; currency: Currency; address: string },
  actor: Actor,
): Promise<Wallet> {
  const { store, config } = dependencies;
  const network = config.networks[given.currency];
  const script = addressToScript(given.address, given.currency, network);
  if (!script.ok) throw invalidField('body.address', script.problem.message);
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const wallet = await findWallet(store, given.projectId, given.currency);
    if (wallet === null) throw new AppError('wallet_not_found');
    await assertReceiveAddress(store, network, wallet, script.value);
    if (wallet.isVerified) return wallet;
    // False: another registration took its place between reading and writing; that one was not compared.
    if (await markVerified(store, given.projectId, wallet, actor)) return { ...wallet, isVerified: true };
  }
  throw new AppError('service_unavailable', 'The wallet is being changed.', { retryAfterSeconds: 1 });
}
