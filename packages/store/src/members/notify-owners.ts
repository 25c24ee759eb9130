import type { ProjectRole } from '@paywatch/domain/contract';
import { queueNotice } from '../mails/queue-notice.ts';
import type { TransactionSql } from '../postgres/database.ts';

/** What happened to a member of a project, or who invited somebody. `role`: the one that they have now, or had, or that is offered. */
export type MemberChange = {
  change: 'invited' | 'joined' | 'role_changed' | 'removed' | 'left';
  /** The member; of an invitation the owner who sent it: the invited address may be that of nobody. */
  accountId: bigint;
  role: ProjectRole;
  /** The former role, if it changed. */
  before?: ProjectRole;
};

/**
 * Queues a mail for every owner of a project, and for the member whose role or membership somebody ended. It names ids only: the worker looks names and addresses up when it sends. Call it at the
 * end of the transaction of the change.
 */
export async function notifyOwners(
  tx: TransactionSql,
  projectId: bigint,
  { change, accountId, role, before }: MemberChange,
): Promise<void> {
  const affected = change === 'role_changed' || change === 'removed' ? accountId : null;
  const told = await tx<{ accountId: bigint }[]>`
    select account_id as "accountId" from projects where id = ${projectId}
    union
    select account_id from project_members where project_id = ${projectId} and role = 'owner'
    union
    select id from accounts where id = ${affected}
    order by 1`;
  const isOfOwner = change !== 'invited' && (role === 'owner' || before === 'owner');
  const kind = isOfOwner ? 'owners_changed' : 'members_changed';
  const data = { change, role, project: String(projectId), member: String(accountId) };
  for (const one of told)
    await queueNotice(tx, one, { kind: one.accountId === affected ? 'membership_changed' : kind, data });
}
