import { classesFor } from '@paywatch/domain/pools';
import type { Currency } from '@paywatch/domain/values';
import type { Fragment } from 'postgres';
import { writeAudit } from '../../accounts/audit.ts';
import { queueProjectMail } from '../../mails/queue-notice.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../../postgres/database.ts';
import { lockProject } from '../../projects/lock-project.ts';
import type { Store } from '../../store.ts';
import { POOLS_CHANNEL } from '../pools.ts';
import { applyOwnersSettings, deleteReplacedWallets, replaceServing } from './replace-wallet.ts';

type PendingChange = {
  walletId: bigint;
  projectId: bigint;
  poolId: bigint;
  currency: Currency;
  verificationAddress: string;
};

/**
 * Lets wallets serve whose delay has passed on Postgres's clock and whose pools have an address to lease; up to `limit`. Until then
 * the wallet before serves, so that no invoice is refused meanwhile. Any number of processes may call it at once. A change that
 * fails does not hold up others; the first failure is thrown at the end. Returns how many took effect.
 */
export async function applyDueWalletChanges(store: Pick<Store, 'sql'>, limit: number): Promise<number> {
  const due = await store.sql<Pick<PendingChange, 'walletId' | 'projectId'>[]>`
    select w.id as "walletId", w.project_id as "projectId"
    from wallets w join pools p on p.id = w.pool_id
    where ${isDue(store.sql)} order by w.effective_at, w.id limit ${limit}`;
  const results = [];
  for (const change of due)
    results.push(...(await Promise.allSettled([inTransaction(store, (tx) => apply(tx, change))])));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.filter((result) => result.status === 'fulfilled' && result.value).length;
}

/** False if the change was cancelled or applied meanwhile. */
async function apply(
  tx: TransactionSql,
  { walletId, projectId }: Pick<PendingChange, 'walletId' | 'projectId'>,
): Promise<boolean> {
  await lockProject(tx, projectId);
  const [change] = await tx<PendingChange[]>`
    select w.id as "walletId", w.project_id as "projectId", w.pool_id as "poolId", w.currency,
      w.verification_address as "verificationAddress"
    from wallets w join pools p on p.id = w.pool_id
    where w.id = ${walletId} and ${isDue(tx)} for update of w`;
  if (!change) return false;
  const replaced = await replaceServing(tx, change);
  await tx`update wallets set status = 'verified', effective_at = now() where id = ${walletId}`;
  await deleteReplacedWallets(tx, change);
  await applyOwnersSettings(tx, change);
  await recordApplied(tx, change, replaced);
  await tx`select pg_notify(${POOLS_CHANNEL}, ${String(change.poolId)})`;
  return true;
}

async function recordApplied(
  tx: TransactionSql,
  { projectId, currency, verificationAddress }: PendingChange,
  replaced: { verificationAddress: string } | null,
): Promise<void> {
  const after = { verification_address: verificationAddress };
  const before = replaced && { verification_address: replaced.verificationAddress };
  const entry = {
    projectId,
    action: 'wallet.change_applied',
    actor: 'watcher',
    detail: { currency, ...after },
  } as const;
  await writeAudit(tx, { ...entry, before, after });
  const data = { currency, address: verificationAddress, outcome: 'applied' };
  await queueProjectMail(tx, projectId, { kind: 'wallet_change_ended', data });
}

/** Condition on wallet `w` of pool `p`. The window is the one of `create-invoice.sql`. */
function isDue(sql: AnySql): Fragment {
  const owner = [...classesFor({ invoiceType: 'order', isOwner: true })];
  const guest = [...classesFor({ invoiceType: 'order', isOwner: false })];
  return sql`w.status = 'pending' and w.effective_at <= now() and exists (
    select from pool_addresses a
    where a.pool_id = p.id and a.state = 'free'
      and a.address_class = any (case when p.owner_project_id = w.project_id then ${owner}::text[] else ${guest}::text[] end)
      and a.address_index <= greatest(p.last_used_index, p.start_index - 1) + least(w.gap_limit, p.gap_limit)
      and (a.released_at is null or (a.last_project_id = w.project_id and not a.donated)))`;
}
