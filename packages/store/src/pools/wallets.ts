import type { ScriptType } from '@paywatch/domain/chain';
import type { ReceiveAddress } from '@paywatch/domain/keys';
import type { Currency } from '@paywatch/domain/values';
import type { Fragment } from 'postgres';
import { writeAudit, type Actor, type AuditAction } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { addAddressesWithinLimit, mayTakeOver } from '../accounts/address-limits.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { lockProject } from '../projects/lock-project.ts';
import { nextIndex, POOLS_CHANNEL } from './pools.ts';
import type { Store } from '../store.ts';

/** A key that a project registers, normalized. */
export type NewWallet = {
  projectId: bigint;
  currency: Currency;
  /** Equal for two keys exactly when they receive at the same addresses. */
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
  actor: Actor;
};

/** A wallet with what its pool derives addresses from. */
export type Wallet = {
  walletId: bigint;
  poolId: bigint;
  currency: Currency;
  isVerified: boolean;
  xpub: string;
  scriptType: ScriptType;
  branch: number;
  derivationPath: string | null;
  verificationAddress: string;
  /** One past the highest index ever leased. */
  nextIndex: number;
  /** First index that the pool holds no address of. */
  derivedUntil: number;
  /** As its own project registered it: indexes below it count as used. */
  startIndex: number;
  /** The one that rules: the pool's once it has an owner, else the one that was asked for. */
  gapLimit: number;
};

/**
 * Registers a key: it joins the pool of that key, or begins it, and waits for its verification in place of a
 * registration that waited before. The verified wallet goes on serving. Repeating it registers anew. Its first addresses are
 * derived and their history is asked for from the commit on.
 */
export async function registerWallet(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  wallet: NewWallet,
): Promise<Wallet> {
  return inTransaction(store, async (tx) => {
    await authorize(tx);
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
    await askReturningKeyAgain(tx, wallet.projectId, poolId);
    await writeChange(tx, 'wallet.registered', wallet, wallet.actor);
    await tx`select pg_notify(${POOLS_CHANNEL}, ${String(poolId)})`;
    return pendingWallet(tx, wallet.projectId, wallet.currency);
  });
}

async function pendingWallet(tx: TransactionSql, projectId: bigint, currency: Currency): Promise<Wallet> {
  const wallet = await findWallet({ sql: tx }, projectId, currency);
  if (!wallet) throw new Error('the wallet was inserted by this transaction');
  return wallet;
}

/** The clean-up may delete the pool between the two statements; then it is created. Once: what is locked is not deleted. */
async function getOrCreatePool(tx: TransactionSql, wallet: NewWallet): Promise<bigint> {
  const poolId =
    (await insertPool(tx, wallet)) ?? (await lockPool(tx, wallet)) ?? (await insertPool(tx, wallet));
  if (poolId === null) throw new Error('a pool without a wallet is not created and deleted within a moment');
  const unowned = await lockUnownedPool(tx, poolId);
  if (unowned !== null && unowned.startIndex !== wallet.startIndex)
    await beginAnew(tx, poolId, wallet.startIndex);
  await countForRegistrant(tx, poolId, wallet.projectId);
  return poolId;
}

/** Null where there is one of this key. */
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

/** A statement of its own: it sees the row of whoever came first, and waits for a clean-up that is deleting it. */
async function lockPool(
  tx: TransactionSql,
  { currency, keyId }: Pick<NewWallet, 'currency' | 'keyId'>,
): Promise<bigint | null> {
  const [pool] = await tx<{ id: bigint }[]>`
    select id from pools where currency = ${currency} and key_id = ${keyId} for key share`;
  return pool?.id ?? null;
}

/** What was derived before anybody verified the key, for the project `registeredBy`. */
type UnownedPool = { startIndex: number; derivedCount: number; registeredBy: bigint | null };

/**
 * Locks a pool that nobody owns with its addresses: nobody derives for it or claims it meanwhile. Null where it has an owner. The
 * addresses come first, as they do for whoever records payments.
 */
async function lockUnownedPool(tx: TransactionSql, poolId: bigint): Promise<UnownedPool | null> {
  await tx`
    select from pool_addresses
    where pool_id = ${poolId} and (select owner_project_id is null from pools where id = ${poolId})
    order by address_index for update`;
  const [pool] = await tx<UnownedPool[]>`
    select start_index as "startIndex", derived_count as "derivedCount", registered_by as "registeredBy"
    from pools where id = ${poolId} and owner_project_id is null for no key update`;
  return pool ?? null;
}

/**
 * Empties a pool that is locked and that nobody owns, and moves its window. Nothing of it was leased, and a stranger who
 * registered the key first may have moved its window to anywhere.
 */
async function beginAnew(tx: TransactionSql, poolId: bigint, startIndex: number): Promise<void> {
  await tx`
    update pools set start_index = ${startIndex}, last_used_index = ${startIndex - 1},
      derived_until = ${Math.max(1, startIndex)}, next_index = ${Math.max(1, startIndex)}, derived_count = 0,
      history_count = 0, history_checked_at = null, history_wanted_at = null, refilled_at = null, limited_since = null
    where id = ${poolId}`;
  await tx`delete from pool_addresses where pool_id = ${poolId}`;
}

/**
 * An unowned pool counts for the project that its addresses were derived for. It never moves with them: two accounts could pass
 * keys to and fro, and derive without bound.
 */
async function countForRegistrant(tx: TransactionSql, poolId: bigint, projectId: bigint): Promise<void> {
  await tx`
    update pools set registered_by = ${projectId}, refilled_at = null, limited_since = null
    where id = ${poolId} and owner_project_id is null and derived_count = 0
      and registered_by is distinct from ${projectId}`;
}

/** While the key served elsewhere, other software may have used it beyond what is derived: the window has to be found again. */
async function askReturningKeyAgain(tx: TransactionSql, projectId: bigint, poolId: bigint): Promise<void> {
  await tx`
    with unleased as materialized (
      select a.address_index from pools p join pool_addresses a on a.pool_id = p.id
      where p.id = ${poolId} and a.address_index > p.last_used_index and a.lease_count = 0
        and a.state in ('derived', 'free') and a.released_at is null
        and exists (select from wallets w
          where w.pool_id = p.id and w.project_id = ${projectId} and w.status = 'replaced')
      -- In the order of whoever records payments.
      order by a.address_index for update of a
    )
    update pool_addresses a set history_asked = false
    from unleased u where a.pool_id = ${poolId} and a.address_index = u.address_index`;
}

/** The wallet that waits for its verification, else the serving one; null when the project has none of the currency. */
export async function findWallet(
  { sql }: { sql: AnySql },
  projectId: bigint,
  currency: Currency,
): Promise<Wallet | null> {
  return selectWallet(
    sql,
    sql`
    where w.project_id = ${projectId} and w.currency = ${currency} and w.status <> 'replaced'
    order by w.status = 'unverified' desc`,
  );
}

/** The wallet whose addresses are given out now; null where none is verified. */
export async function findServingWallet(
  { sql }: { sql: AnySql },
  projectId: bigint,
  currency: Currency,
): Promise<Wallet | null> {
  return selectWallet(
    sql,
    sql`
    where w.project_id = ${projectId} and w.currency = ${currency} and w.status = 'verified'`,
  );
}

async function selectWallet(sql: AnySql, pick: Fragment): Promise<Wallet | null> {
  const [wallet] = await sql<Wallet[]>`
    select w.id as "walletId", w.pool_id as "poolId", w.currency, w.status = 'verified' as "isVerified",
      p.xpub, p.script_type as "scriptType", p.branch, w.derivation_path as "derivationPath",
      w.verification_address as "verificationAddress", ${nextIndex(sql)} as "nextIndex",
      p.derived_until as "derivedUntil", w.start_index as "startIndex", ${gapLimitOfWallet(sql)} as "gapLimit"
    from wallets w join pools p on p.id = w.pool_id
    ${pick} limit 1`;
  return wallet ?? null;
}

/** The gap limit that rules wallet `w` of pool `p`: a guest cannot go beyond the owner's, and learns that once it is verified. */
export function gapLimitOfWallet(sql: AnySql) {
  return sql`case
    when p.owner_project_id is null or w.status = 'unverified' then w.gap_limit
    else least(w.gap_limit, p.gap_limit)
  end`;
}

/** The index of a derived address of the pool by its scriptPubKey; null when it is none. */
export async function findPoolIndex(
  { sql }: Pick<Store, 'sql'>,
  poolId: bigint,
  script: Uint8Array,
): Promise<number | null> {
  const [row] = await sql<{ index: number }[]>`
    select address_index as index from pool_addresses where pool_id = ${poolId} and script = ${script}`;
  return row?.index ?? null;
}

/** Derived from the pool's first underived index on; `accountAddresses`: how many an account may hold without payments. */
export type FirstAddresses = { addresses: readonly ReceiveAddress[]; accountAddresses: number };

/**
 * Lets a registered wallet serve in place of the one before, whose open invoices stay watched. The first project to
 * verify a key owns its pool: its gap limit and start index rule. Stores the first addresses, so that none waits for a watcher
 * to derive them, and wakes the derivation of the others at the commit. False when the registration was replaced or verified
 * in the meantime: look again.
 */
export async function verifyWallet(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  projectId: bigint,
  wallet: Wallet,
  actor: Actor,
  first: FirstAddresses = { addresses: [], accountAddresses: 0 },
): Promise<boolean> {
  return inTransaction(store, async (tx) => {
    await authorize(tx);
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
    await forgetFormerClaims(tx, projectId, wallet);
    await claimPool(tx, projectId, wallet, first.accountAddresses);
    await addFirstAddresses(tx, projectId, wallet.poolId, first);
    if (replaced) await writeChange(tx, 'wallet.replaced', { ...wallet, ...replaced, projectId }, actor);
    await writeChange(tx, 'wallet.verified', { ...wallet, projectId }, actor);
    await tx`select pg_notify(${POOLS_CHANNEL}, ${String(wallet.poolId)})`;
    return true;
  });
}

/** A project that changes between the same keys on and on has one wallet of each; the audit log has all the changes. */
async function forgetFormerClaims(tx: TransactionSql, projectId: bigint, wallet: Wallet): Promise<void> {
  await tx`
    delete from wallets
    where pool_id = ${wallet.poolId} and project_id = ${projectId} and status = 'replaced' and id <> ${wallet.walletId}`;
}

/**
 * Gives the pool to the first project that verified its key, and the owner's settings to the pool. What was derived for another
 * project comes along as far as the owner's limit allows it: else that one could derive anew for its next key.
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
    registeredBy === projectId || (await mayTakeOver(tx, projectId, derivedCount, accountAddresses));
  if (startIndex !== wallet.startIndex || !isAllowed) await beginAnew(tx, poolId, wallet.startIndex);
  await tx`
    update pools set owner_project_id = ${projectId}, registered_by = null, gap_limit = ${wallet.gapLimit}
    where id = ${poolId}`;
}

/**
 * Only those that continue what is derived: a watcher, or another start index, may have come in between. The first ones of a
 * pool that another project owns are there.
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

/** A wallet's gap limit before and after; `ruling` is what holds now: a guest of a pool cannot go beyond its owner's. */
export type GapLimitChange = { before: number; after: number; ruling: number };

/**
 * Changes how far past the last used index a project's serving wallet gives out addresses, and that of its pool where the
 * project owns it. What is leased already stays leased. Wakes the derivation at the commit. Null: there is no verified wallet.
 */
export async function changeGapLimit(
  store: Pick<Store, 'sql'>,
  { projectId, currency, gapLimit }: { projectId: bigint; currency: Currency; gapLimit: number },
  actor: Actor,
): Promise<GapLimitChange | null> {
  return inTransaction(store, async (tx) => {
    await lockProject(tx, projectId);
    const [wallet] = await tx<{ walletId: bigint; poolId: bigint; before: number }[]>`
      select id as "walletId", pool_id as "poolId", gap_limit as before from wallets
      where project_id = ${projectId} and currency = ${currency} and status = 'verified'`;
    if (!wallet) return null;
    const { walletId, poolId, before } = wallet;
    await tx`update wallets set gap_limit = ${gapLimit} where id = ${walletId}`;
    const [pool] = await tx<{ gapLimit: number }[]>`
      update pools set
        gap_limit = case when owner_project_id = ${projectId} then ${gapLimit}::int else gap_limit end
      where id = ${poolId} returning gap_limit as "gapLimit"`;
    const detail = { currency, from: before, to: gapLimit };
    if (before !== gapLimit)
      await writeAudit(tx, { projectId, action: 'wallet.gap_limit_changed', actor, detail });
    await tx`select pg_notify(${POOLS_CHANNEL}, ${String(poolId)})`;
    return { before, after: gapLimit, ruling: Math.min(gapLimit, pool?.gapLimit ?? gapLimit) };
  });
}

/** What was used stays used and what was derived stays derived: a later start index only moves the window on. */
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

async function writeChange(
  tx: TransactionSql,
  action: AuditAction,
  wallet: { projectId: bigint; currency: Currency; verificationAddress: string },
  actor: Actor,
): Promise<void> {
  const { projectId, currency, verificationAddress } = wallet;
  const detail = { currency, verification_address: verificationAddress };
  await writeAudit(tx, { projectId, action, actor, detail });
}
