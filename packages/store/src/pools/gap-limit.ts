import type { Currency } from '@paywatch/domain/values';
import { writeAudit } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { type AnySql, inTransaction } from '../postgres/database.ts';
import { lockProject } from '../projects/lock-project.ts';
import type { Store } from '../store.ts';
import { POOLS_CHANNEL } from './pools.ts';

/**
 * The effective gap limit of wallet `w` of pool `p`. A guest is bound by the owner's limit, but sees that only after
 * verification.
 */
export function gapLimitOfWallet(sql: AnySql) {
  return sql`case
    when p.owner_project_id is null or w.status = 'unverified' then w.gap_limit
    else least(w.gap_limit, p.gap_limit)
  end`;
}

/** A wallet's gap limit before and after; `ruling` is the effective limit: a guest of a pool is bound by its owner's. */
export type GapLimitChange = { before: number; after: number; ruling: number };

/**
 * Changes how far past the last used index a project's serving wallet leases addresses, and the gap limit of its pool if the
 * project owns it. Leased addresses stay leased. Wakes the refill at the commit. Null if there is no verified wallet.
 */
export async function changeGapLimit(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { projectId, currency, gapLimit }: { projectId: bigint; currency: Currency; gapLimit: number },
): Promise<GapLimitChange | null> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, projectId);
    const [wallet] = await tx<{ walletId: bigint; poolId: bigint; before: number; address: string }[]>`
      select id as "walletId", pool_id as "poolId", gap_limit as before, verification_address as address
      from wallets
      where project_id = ${projectId} and currency = ${currency} and status = 'verified'`;
    if (!wallet) return null;
    const { walletId, poolId, before, address } = wallet;
    await tx`update wallets set gap_limit = ${gapLimit} where id = ${walletId}`;
    const [pool] = await tx<{ gapLimit: number }[]>`
      update pools set
        gap_limit = case when owner_project_id = ${projectId} then ${gapLimit}::int else gap_limit end
      where id = ${poolId} returning gap_limit as "gapLimit"`;
    const detail = { currency, verification_address: address, from: before, to: gapLimit };
    if (before !== gapLimit)
      await writeAudit(tx, { projectId, action: 'wallet.gap_limit_changed', actor, detail });
    await tx`select pg_notify(${POOLS_CHANNEL}, ${String(poolId)})`;
    return { before, after: gapLimit, ruling: Math.min(gapLimit, pool?.gapLimit ?? gapLimit) };
  });
}
