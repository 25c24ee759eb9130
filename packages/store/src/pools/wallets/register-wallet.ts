import type { ScriptType } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import type { Authorize } from '../../accounts/authorize.ts';
import { type TransactionSql, inTransaction } from '../../postgres/database.ts';
import { lockProject } from '../../projects/lock-project.ts';
import type { Store } from '../../store.ts';
import { POOLS_CHANNEL } from '../pools.ts';
import { lockUnownedPool, resetPool } from '../unowned-pools.ts';
import { type Wallet, findWallet, writeChange } from './wallets.ts';

/** A key that a project registers, normalized. */
export type NewWallet = {
  projectId: bigint;
  currency: Currency;
  /** Two keys have the same id exactly if they receive at the same addresses. */
  keyId: string;
  /** In canonical form. */
  xpub: string;
  scriptType: ScriptType;
  branch: number;
  derivationPath: string | null;
  /** The address at index 0. */
  verificationAddress: string;
  gapLimit: number;
  /** Indexes below it count as used; 0: none. */
  startIndex: number;
};

/**
 * Registers a key: its wallet joins the pool of that key, which is created if needed, and waits for verification in place of an
 * earlier unverified registration. The verified wallet keeps serving. A repeat registers again. The first addresses are derived
 * and their history is read after the commit.
 */
export async function registerWallet(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  wallet: NewWallet,
): Promise<Wallet> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, wallet.projectId);
    const poolId = await getOrCreatePool(tx, wallet);
    await tx`
      delete from wallets
      where project_id = ${wallet.projectId} and currency = ${wallet.currency} and status = 'unverified'`;
    await tx`
      insert into wallets
        (project_id, currency, pool_id, script_type, derivation_path, verification_address, gap_limit, start_index)
      values (${wallet.projectId}, ${wallet.currency}, ${poolId}, ${wallet.scriptType},
        ${wallet.derivationPath}, ${wallet.verificationAddress}, ${wallet.gapLimit}, ${wallet.startIndex})`;
    await rescanReturningKey(tx, wallet.projectId, poolId);
    await writeChange(tx, 'wallet.registered', wallet, actor);
    await tx`select pg_notify(${POOLS_CHANNEL}, ${String(poolId)})`;
    return registeredWallet(tx, wallet.projectId, wallet.currency);
  });
}

async function registeredWallet(tx: TransactionSql, projectId: bigint, currency: Currency): Promise<Wallet> {
  const wallet = await findWallet({ sql: tx }, projectId, currency);
  if (!wallet) throw new Error(`${currency} wallet of project ${projectId} not found after its registration`);
  return wallet;
}

/**
 * The clean-up may delete the pool between the first two statements; the third creates it again. A locked pool is not deleted.
 */
async function getOrCreatePool(tx: TransactionSql, wallet: NewWallet): Promise<bigint> {
  const poolId =
    (await insertPool(tx, wallet)) ?? (await lockPool(tx, wallet)) ?? (await insertPool(tx, wallet));
  if (poolId === null)
    throw new Error(`pool of project ${wallet.projectId} was deleted twice while it was created`);
  const unowned = await lockUnownedPool(tx, poolId);
  if (unowned !== null && unowned.startIndex !== wallet.startIndex)
    await resetPool(tx, poolId, wallet.startIndex);
  await countForRegistrant(tx, poolId, wallet.projectId);
  return poolId;
}

/** Null if the key already has a pool. */
async function insertPool(tx: TransactionSql, wallet: NewWallet): Promise<bigint | null> {
  const { startIndex } = wallet;
  const [pool] = await tx<{ id: bigint }[]>`
    insert into pools (currency, key_id, xpub, script_type, branch, registered_by, gap_limit, start_index, last_used_index,
      derived_until, next_index)
    values (${wallet.currency}, ${wallet.keyId}, ${wallet.xpub}, ${wallet.scriptType}, ${wallet.branch},
      ${wallet.projectId}, ${wallet.gapLimit}, ${startIndex}, ${startIndex - 1}, ${Math.max(1, startIndex)},
      ${Math.max(1, startIndex)})
    on conflict (currency, key_id) do nothing returning id`;
  return pool?.id ?? null;
}

/** A separate statement, so that it sees the row of a concurrent registration and waits for a clean-up that is deleting it. */
async function lockPool(
  tx: TransactionSql,
  { currency, keyId }: Pick<NewWallet, 'currency' | 'keyId'>,
): Promise<bigint | null> {
  const [pool] = await tx<{ id: bigint }[]>`
    select id from pools where currency = ${currency} and key_id = ${keyId} for key share`;
  return pool?.id ?? null;
}

/**
 * An unowned pool counts for the project that its addresses were derived for, and keeps doing so: otherwise two accounts could
 * pass keys back and forth and derive without bound.
 */
async function countForRegistrant(tx: TransactionSql, poolId: bigint, projectId: bigint): Promise<void> {
  await tx`
    update pools set registered_by = ${projectId}, refilled_at = null, limited_since = null
    where id = ${poolId} and owner_project_id is null and derived_count = 0
      and registered_by is distinct from ${projectId}`;
}

/**
 * While the key was used elsewhere, other software may have used addresses beyond the derived ones, so their histories are read
 * again.
 */
async function rescanReturningKey(tx: TransactionSql, projectId: bigint, poolId: bigint): Promise<void> {
  await tx`
    with unleased as materialized (
      select a.address_index from pools p join pool_addresses a on a.pool_id = p.id
      where p.id = ${poolId} and a.address_index > p.last_used_index and a.lease_count = 0
        and a.state in ('derived', 'free') and a.released_at is null
        and exists (select from wallets w
          where w.pool_id = p.id and w.project_id = ${projectId} and w.status = 'replaced')
      -- In the order in which recordings lock them.
      order by a.address_index for update of a
    )
    update pool_addresses a set history_asked = false
    from unleased u where a.pool_id = ${poolId} and a.address_index = u.address_index`;
}
