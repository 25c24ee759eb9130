import type { ReceiveAddress } from '@paywatch/domain/keys';
import { addAddressesWithinLimit, canTakeOver } from '../../accounts/address-limits.ts';
import type { Authorize } from '../../accounts/authorize.ts';
import { type TransactionSql, inTransaction } from '../../postgres/database.ts';
import { lockProject } from '../../projects/lock-project.ts';
import type { Store } from '../../store.ts';
import { POOLS_CHANNEL } from '../pools.ts';
import { lockUnownedPool, resetPool } from '../unowned-pools.ts';
import { type Wallet, writeChange } from './wallets.ts';

/**
 * Derived from the pool's first underived index on. `accountAddresses`: how many addresses an account may hold without
 * payments.
 */
export type FirstAddresses = { addresses: readonly ReceiveAddress[]; accountAddresses: number };

/**
 * Makes a registered wallet the serving one in place of the previous one, whose open invoices stay watched. The first project
 * to verify a key owns its pool and sets its gap limit and start index. Stores the first addresses, so that the first invoice
 * need not wait for a watcher, and wakes the refill at the commit. Returns false if the registration was replaced or verified
 * meanwhile; read it again.
 */
export async function verifyWallet(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  projectId: bigint,
  wallet: Wallet,
  first: FirstAddresses = { addresses: [], accountAddresses: 0 },
): Promise<boolean> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, projectId);
    const [replaced] = await tx<{ verificationAddress: string }[]>`
      update wallets set status = 'replaced', replaced_at = now()
      where project_id = ${projectId} and currency = ${wallet.currency} and status = 'verified'
        and exists (select from wallets where id = ${wallet.walletId} and status = 'unverified')
      returning verification_address as "verificationAddress"`;
    const verified = await tx`
      update wallets set status = 'verified', verified_at = now()
      where id = ${wallet.walletId} and status = 'unverified'`;
    if (verified.count === 0) return false;
    await deleteReplacedWallets(tx, projectId, wallet);
    await claimPool(tx, projectId, wallet, first.accountAddresses);
    await addFirstAddresses(tx, projectId, wallet.poolId, first);
    if (replaced) await writeChange(tx, 'wallet.replaced', { ...wallet, ...replaced, projectId }, actor);
    await writeChange(tx, 'wallet.verified', { ...wallet, projectId }, actor, replaced ?? null);
    await tx`select pg_notify(${POOLS_CHANNEL}, ${String(wallet.poolId)})`;
    return true;
  });
}

/** A project that switches between the same keys keeps one wallet for each; the audit log has all changes. */
async function deleteReplacedWallets(tx: TransactionSql, projectId: bigint, wallet: Wallet): Promise<void> {
  await tx`
    delete from wallets
    where pool_id = ${wallet.poolId} and project_id = ${projectId} and status = 'replaced' and id <> ${wallet.walletId}`;
}

/**
 * Gives the pool to the first project that verified its key, with the owner's settings. Addresses derived for another project
 * are kept only within the owner's limit: otherwise that project could derive again for its next key.
 */
async function claimPool(
  tx: TransactionSql,
  projectId: bigint,
  { poolId, walletId }: Wallet,
  accountAddresses: number,
): Promise<void> {
  const [wallet] = await tx<{ startIndex: number; gapLimit: number }[]>`
    select start_index as "startIndex", gap_limit as "gapLimit" from wallets where id = ${walletId}`;
  if (!wallet) throw new Error('a wallet is not deleted by anybody else while its project is locked');
  const pool = await lockUnownedPool(tx, poolId);
  if (pool === null) return applyOwnersSettings(tx, projectId, { poolId, walletId });
  const { startIndex, derivedCount, registeredBy } = pool;
  const isAllowed =
    registeredBy === projectId || (await canTakeOver(tx, projectId, derivedCount, accountAddresses));
  if (startIndex !== wallet.startIndex || !isAllowed) await resetPool(tx, poolId, wallet.startIndex);
  await tx`
    update pools set owner_project_id = ${projectId}, registered_by = null, gap_limit = ${wallet.gapLimit}
    where id = ${poolId}`;
}

/**
 * Stores them only if they continue the derived addresses: a watcher or another start index may have come in between. A pool
 * that another project owns already has its first addresses.
 */
async function addFirstAddresses(
  tx: TransactionSql,
  projectId: bigint,
  poolId: bigint,
  { addresses, accountAddresses }: FirstAddresses,
): Promise<void> {
  const [first, last] = [addresses[0], addresses.at(-1)];
  if (!first || !last) return;
  const [pool] = await tx<{ derivedUntil: number }[]>`
    select derived_until as "derivedUntil" from pools
    where id = ${poolId} and owner_project_id = ${projectId} for no key update`;
  if (!pool || pool.derivedUntil < first.index) return;
  await addAddressesWithinLimit(tx, poolId, addresses, last.index + 1, accountAddresses);
}

/** Used and derived addresses stay: a later start index only moves the window forward. */
async function applyOwnersSettings(
  tx: TransactionSql,
  projectId: bigint,
  { poolId, walletId }: Pick<Wallet, 'poolId' | 'walletId'>,
): Promise<void> {
  await tx`
    update pools p set gap_limit = w.gap_limit, start_index = greatest(p.start_index, w.start_index),
      derived_until = greatest(p.derived_until, w.start_index)
    from wallets w
    where w.id = ${walletId} and p.id = ${poolId} and p.owner_project_id = ${projectId}`;
}
