import type { ProjectRole } from '@paywatch/domain/contract';
import { queueNotice } from '../mails/queue-notice.ts';
import type { TransactionSql } from '../postgres/database.ts';

/** What happened to a member, or who invited somebody. `role`: the present role, the last one, or the one that is offered. */
export type MemberChange = {
  change: 'invited' | 'joined' | 'role_changed' | 'removed' | 'left';
  /** The member; for `invited`, the inviter: the invited person may have no account. */
  accountId: bigint;
  role: ProjectRole;
  /** The former role, if it changed. */
  before?: ProjectRole;
};

/**
 * Queues a mail to every owner of a project, and to a member who was removed or got another role. The mail holds ids only; the worker
 * reads names and addresses when it sends it. Call this at the end of the transaction.
 */
export async function notifyOwners(
  tx: TransactionSql,
  projectId: bigint,
  { change, accountId, role, before }: MemberChange,
): Promise<void> {
  const affected = change === 'role_changed' || change === 'removed' ? accountId : null;
  const recipients = await tx<{ accountId: bigint }[]>`
    select account_id as "accountId" from projects where id = ${projectId}
    union
    select account_id from project_members where project_id = ${projectId} and role = 'owner'
    union
    select id from accounts where id = ${affected}
    order by 1`;
  const isOfOwner = change !== 'invited' && (role === 'owner' || before === 'owner');
  const kind = isOfOwner ? 'owners_changed' : 'members_changed';
  const data = { change, role, project: String(projectId), member: String(accountId) };
  for (const recipient of recipients)
    await queueNotice(tx, recipient, {
      kind: recipient.accountId === affected ? 'membership_changed' : kind,
      data,
    });
}
