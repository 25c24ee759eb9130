import { waitOfDelayChange } from '@paywatch/domain/pools';
import type { Fragment } from 'postgres';
import { writeAudit, type Actor } from '../../accounts/audit.ts';
import type { Authorize } from '../../accounts/authorize.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../../postgres/database.ts';
import { lockProject } from '../../projects/lock-project.ts';
import type { Store } from '../../store.ts';
import { announceChange } from './announce-change.ts';

/** The owner's own delay of a row of `projects` in seconds, as of now; null: none. A shorter one holds from its time on. */
export function ownDelay(sql: AnySql): Fragment {
  return sql`case when next_wallet_delay_at <= now() then next_wallet_delay_seconds else wallet_delay_seconds end`;
}

/** A delay that waits to become shorter; both null if none does. */
export function nextDelay(sql: AnySql): Fragment {
  return sql`case when next_wallet_delay_at > now() then next_wallet_delay_seconds end as "nextSeconds",
    case when next_wallet_delay_at > now() then next_wallet_delay_at end as "nextAt"`;
}

/**
 * Changes how long changes of the project's wallets wait. A longer delay holds at once and ends a shortening that waits; a shorter
 * one waits for the present delay and is announced like a change of a wallet. Throws AppError `rate_limited` if it cannot be.
 */
export async function changeWalletDelay(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  projectId: bigint,
  { seconds, deploymentSeconds }: { seconds: number; deploymentSeconds: number },
): Promise<void> {
  await inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, projectId);
    const [project] = await tx<{ ownSeconds: number | null }[]>`
      select ${ownDelay(tx)} as "ownSeconds" from projects where id = ${projectId}`;
    if (!project) throw new Error(`project ${projectId} not found`);
    const waitSeconds = waitOfDelayChange({ ...project, deploymentSeconds }, seconds);
    const change = { from: project.ownSeconds, to: seconds, waitSeconds };
    await (waitSeconds === 0 ? setDelay(tx, projectId, seconds) : scheduleShortening(tx, projectId, change));
    await writeDelayAudit(tx, projectId, actor, change);
  });
}

type DelayChange = { from: number | null; to: number; waitSeconds: number };

async function setDelay(tx: TransactionSql, projectId: bigint, seconds: number): Promise<void> {
  await tx`
    update projects set wallet_delay_seconds = ${seconds}, next_wallet_delay_seconds = null, next_wallet_delay_at = null
    where id = ${projectId}`;
}

async function scheduleShortening(
  tx: TransactionSql,
  projectId: bigint,
  { from, to, waitSeconds }: DelayChange,
): Promise<void> {
  const [project] = await tx<{ at: Date }[]>`
    update projects set wallet_delay_seconds = ${from}, next_wallet_delay_seconds = ${to},
      next_wallet_delay_at = now() + make_interval(secs => ${waitSeconds})
    where id = ${projectId} returning next_wallet_delay_at as at`;
  if (!project) throw new Error(`project ${projectId} not found`);
  await announceChange(tx, projectId, { seconds: String(to), effective_at: project.at.toISOString() });
}

async function writeDelayAudit(
  tx: TransactionSql,
  projectId: bigint,
  actor: Actor,
  { from, to, waitSeconds }: DelayChange,
): Promise<void> {
  const detail = { wait_seconds: waitSeconds };
  const change = { before: { seconds: from }, after: { seconds: to } };
  await writeAudit(tx, { projectId, action: 'wallet.delay_changed', actor, detail, ...change });
}

/** Ends a shortening that waits, of a locked project: the present delay stays. */
export async function cancelShortening(tx: TransactionSql, projectId: bigint, actor: Actor): Promise<void> {
  const [project] = await tx<{ next: number; own: number | null }[]>`
    update projects p set next_wallet_delay_seconds = null, next_wallet_delay_at = null
    from (select next_wallet_delay_seconds as next from projects where id = ${projectId} for no key update) before
    where p.id = ${projectId} and p.next_wallet_delay_at > now()
    returning before.next, p.wallet_delay_seconds as own`;
  if (!project) return;
  const change = { before: { next_seconds: project.next }, after: { seconds: project.own } };
  await writeAudit(tx, { projectId, action: 'wallet.delay_changed', actor, ...change });
}
