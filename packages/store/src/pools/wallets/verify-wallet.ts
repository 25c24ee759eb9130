import type { ReceiveAddress } from '@paywatch/domain/keys';
import { addAddressesWithinLimit, canTakeOver } from '../../accounts/address-limits.ts';
import type { Actor } from '../../accounts/audit.ts';
import type { Authorize } from '../../accounts/authorize.ts';
import { type TransactionSql, inTransaction } from '../../postgres/database.ts';
import { lockProject } from '../../projects/lock-project.ts';
import type { Store } from '../../store.ts';
import { POOLS_CHANNEL } from '../pools.ts';
import { lockUnownedPool, resetPool } from '../unowned-pools.ts';
import { cancelChanges } from './cancel-changes.ts';
import { applyOwnersSettings, deleteReplacedWallets, replaceServing } from './replace-wallet.ts';
import { readWaitOfChange, scheduleChange } from './schedule-change.ts';
import { type Wallet, writeChange } from './wallets.ts';

/**
 * Derived from the pool's first underived index on. `accountAddresses`: how many addresses an account may hold without
 * payments.
 */
export type FirstAddresses = { addresses: readonly ReceiveAddress[]; accountAddresses: number };

/** WALLET_CHANGE_DELAY in seconds, or null for the operator, whose changes never wait. */
export type DeploymentDelay = number | null;

/**
 * Verifies a registered wallet. It serves at once in place of the previous one, whose open invoices stay watched; or, if the
 * project was paid lately, after a delay, in place of an earlier change that waits. The first project to verify a key owns its
 * pool and sets its gap limit and start index. Stores the first addresses, so that the first invoice need not wait for a watcher,
 * and wakes the refill at the commit. Returns false if the registration was replaced or verified meanwhile; read it again. Throws
 * AppError `rate_limited` if a change that waits could not be announced.
 */
export async function verifyWallet(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  projectId: bigint,
  wallet: Wallet,
  first: FirstAddresses = { addresses: [], accountAddresses: 0 },
  deploymentSeconds: DeploymentDelay = null,
): Promise<boolean> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, projectId);
    const change = { ...wallet, projectId };
    if (!(await isUnverified(tx, wallet))) return false;
    await cancelChanges(tx, projectId, { actor, currency: wallet.currency, reason: 'superseded' });
    const waitSeconds =
      deploymentSeconds === null ? 0 : await readWaitOfChange(tx, projectId, deploymentSeconds);
    const isClaimed = await claimPool(tx, projectId, wallet, first.accountAddresses);
    if (waitSeconds > 0) await scheduleChange(tx, change, { actor, waitSeconds });
    else await serveNow(tx, change, { actor, isClaimed });
    await addFirstAddresses(tx, projectId, wallet.poolId, first);
    await tx`select pg_notify(${POOLS_CHANNEL}, ${String(wallet.poolId)})`;
    return true;
  });
}

async function isUnverified(tx: TransactionSql, { walletId }: Wallet): Promise<boolean> {
  const { count } = await tx`select from wallets where id = ${walletId} and status = 'unverified' for update`;
  return count > 0;
}

async function serveNow(
  tx: TransactionSql,
  change: Wallet & { projectId: bigint },
  { actor, isClaimed }: { actor: Actor; isClaimed: boolean },
): Promise<void> {
  const replaced = await replaceServing(tx, change);
  await tx`update wallets set status = 'verified', verified_at = now() where id = ${change.walletId}`;
  await deleteReplacedWallets(tx, change);
  if (!isClaimed) await applyOwnersSettings(tx, change);
  if (replaced) await writeChange(tx, 'wallet.replaced', { ...change, ...replaced }, actor);
  await writeChange(tx, 'wallet.verified', change, actor, replaced);
}

/**
 * A project whose key belonged to a deleted project owns the pool from then on, within its limit: its owner may have come back. Addresses
 * that were leased stay with their invoices, and are not leased again.
 */
async function takeOverDeleted(
  tx: TransactionSql,
  projectId: bigint,
  poolId: bigint,
  accountAddresses: number,
): Promise<void> {
  const [pool] = await tx<{ derivedCount: number }[]>`
    select p.derived_count as "derivedCount" from pools p join projects o on o.id = p.owner_project_id
    where p.id = ${poolId} and o.deleted_at is not null for no key update of p`;
  if (pool === undefined || !(await canTakeOver(tx, projectId, pool.derivedCount, accountAddresses))) return;
  await tx`update pools set owner_project_id = ${projectId} where id = ${poolId}`;
}

/**
 * Gives the pool to the first project that verified its key, with the owner's settings; false if it has or had an owner. Addresses
 * derived for another project are kept only within the owner's limit: otherwise that project could derive again for its next key.
 */
async function claimPool(
  tx: TransactionSql,
  projectId: bigint,
  { poolId, walletId }: Wallet,
  accountAddresses: number,
): Promise<boolean> {
  const [wallet] = await tx<{ startIndex: number; gapLimit: number }[]>`
    select start_index as "startIndex", gap_limit as "gapLimit" from wallets where id = ${walletId}`;
  if (!wallet) throw new Error(`wallet ${walletId} of locked project ${projectId} not found`);
  const pool = await lockUnownedPool(tx, poolId);
  if (pool === null) {
    await takeOverDeleted(tx, projectId, poolId, accountAddresses);
    return false;
  }
  const { startIndex, derivedCount, registeredBy } = pool;
  const isAllowed =
    registeredBy === projectId || (await canTakeOver(tx, projectId, derivedCount, accountAddresses));
  if (startIndex !== wallet.startIndex || !isAllowed) await resetPool(tx, poolId, wallet.startIndex);
  await tx`
    update pools set owner_project_id = ${projectId}, registered_by = null, gap_limit = ${wallet.gapLimit}
    where id = ${poolId}`;
  return true;
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
