import { waitOfWalletChange } from '@paywatch/domain/pools';
import { writeAudit, type Actor } from '../../accounts/audit.ts';
import type { AnySql, TransactionSql } from '../../postgres/database.ts';
import { announceChange } from './announce-change.ts';
import { ownDelay } from './wallet-delay.ts';
import type { Wallet } from './wallets.ts';

/** A payment that was confirmed within this many days makes changes wait. */
const PAID_DAYS = 30;

/** How long a change of the wallets of a project waits now, in seconds; 0: it takes effect at once. */
export async function readWaitOfChange(
  sql: AnySql,
  projectId: bigint,
  deploymentSeconds: number,
): Promise<number> {
  const [project] = await sql<{ isPaid: boolean; ownSeconds: number | null }[]>`
    select ${ownDelay(sql)} as "ownSeconds", exists (
      select from project_stats s
      where s.project_id = projects.id and s.day >= (now() at time zone 'UTC')::date - ${PAID_DAYS}::int
        and greatest(s.confirmed, s.btc_count, s.ltc_count, s.status_underpaid, s.status_late_payment) > 0) as "isPaid"
    from projects where id = ${projectId}`;
  if (!project) throw new Error(`project ${projectId} not found`);
  return waitOfWalletChange({ ...project, deploymentSeconds });
}

/**
 * Lets a registered wallet wait, and announces it by a mail that cannot be switched off, with a link that cancels. Throws AppError
 * `rate_limited` if so many changes were announced lately that this one would not be: no change waits unannounced.
 */
export async function scheduleChange(
  tx: TransactionSql,
  change: Wallet & { projectId: bigint },
  { actor, waitSeconds }: { actor: Actor; waitSeconds: number },
): Promise<void> {
  const { projectId, currency, verificationAddress } = change;
  const [wallet] = await tx<{ effectiveAt: Date }[]>`
    update wallets set status = 'pending', verified_at = now(), effective_at = now() + make_interval(secs => ${waitSeconds})
    where id = ${change.walletId} returning effective_at as "effectiveAt"`;
  if (!wallet) throw new Error(`locked wallet ${change.walletId} not found`);
  const [serving] = await tx<{ address: string }[]>`
    select verification_address as address from wallets
    where project_id = ${projectId} and currency = ${currency} and status = 'verified'`;
  const effectiveAt = wallet.effectiveAt.toISOString();
  await writeAudit(tx, {
    projectId,
    action: 'wallet.change_scheduled',
    actor,
    detail: { currency, verification_address: verificationAddress, effective_at: effectiveAt },
    before: serving ? { verification_address: serving.address } : null,
    after: { verification_address: verificationAddress },
  });
  const data = { currency, address: verificationAddress, effective_at: effectiveAt };
  await announceChange(tx, projectId, data);
}
