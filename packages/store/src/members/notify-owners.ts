import type { ProjectRole } from '@paywatch/domain/contract';
import { queueNotice } from '../mails/queue-notice.ts';
import type { TransactionSql } from '../postgres/database.ts';

/** What happened to a member of a project. `role`: the one that they have now, or had. */
export type MemberChange = {
  change: 'joined' | 'role_changed' | 'removed' | 'left';
  accountId: bigint;
  role: ProjectRole;
};

/**
 * Queues a notice for every owner of a project. It names ids only: the worker looks names and addresses up when it sends. Call it at the
 * end of the transaction of the change.
 */
export async function notifyOwners(
  tx: TransactionSql,
  projectId: bigint,
  { change, accountId, role }: MemberChange,
): Promise<void> {
  const owners = await tx<{ accountId: bigint }[]>`
    select account_id as "accountId" from projects where id = ${projectId}
    union
    select account_id from project_members where project_id = ${projectId} and role = 'owner'
    order by 1`;
  const data = { change, role, project: String(projectId), member: String(accountId) };
  for (const owner of owners) await queueNotice(tx, owner, { kind: 'members_changed', data });
}
