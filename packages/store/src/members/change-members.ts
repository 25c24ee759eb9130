import type { ProjectRole } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { writeAudit, type Actor } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import type { Member } from './list-members.ts';
import { lockMembers } from './lock-members.ts';
import { notifyOwners } from './notify-owners.ts';

/** Names a member in the API. */
export type MemberName = { projectId: bigint; publicId: string };

/**
 * Changes the role of a member, which applies at once on every replica. Invitations of an owner who gets a lower role end. Throws
 * AppError `member_not_found`, also for the account that created the project, which has no name.
 */
export async function updateMember(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { projectId, publicId }: MemberName,
  role: ProjectRole,
): Promise<Member> {
  return inTransaction(store, async (tx) => {
    await lockMembers(tx, projectId);
    const actor = await authorize(tx);
    const member = await lockMember(tx, { projectId, publicId });
    if (member.role === role) return member;
    const { accountId } = member;
    await tx`update project_members set role = ${role} where project_id = ${projectId} and account_id = ${accountId}`;
    if (role !== 'owner') await deleteInvitationsBy(tx, projectId, accountId);
    const [before, after] = [{ role: member.role }, { role }];
    const detail = detailOf(member);
    await writeAudit(tx, { projectId, action: 'member.role_changed', actor, detail, before, after });
    await notifyOwners(tx, projectId, { change: 'role_changed', accountId, role, before: member.role });
    return { ...member, role };
  });
}

/**
 * Removes a member. Once this resolves, every replica refuses them: their requests read the membership in Postgres. Changes that they have
 * begun come first. Throws AppError `member_not_found`, also for the account that created the project.
 */
export async function removeMember(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { projectId, publicId }: MemberName,
): Promise<Member> {
  return inTransaction(store, async (tx) => {
    await lockMembers(tx, projectId);
    const actor = await authorize(tx);
    const member = await lockMember(tx, { projectId, publicId });
    const { accountId, role } = member;
    await deleteMember(tx, projectId, accountId);
    await writeAudit(tx, {
      projectId,
      action: 'member.removed',
      actor,
      detail: detailOf(member),
      before: { role },
    });
    await notifyOwners(tx, projectId, { change: 'removed', accountId, role });
    return member;
  });
}

/** Ends the caller's own membership. Throws AppError `owner_stays` for the account that created the project. */
export async function leaveProject(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { projectId, accountId }: { projectId: bigint; accountId: bigint },
): Promise<void> {
  await inTransaction(store, async (tx) => {
    await lockMembers(tx, projectId);
    const actor = await authorize(tx);
    const role = await deleteMember(tx, projectId, accountId);
    if (role === null) throw new AppError('owner_stays');
    await noteLeft(tx, { projectId, accountId, role }, actor);
  });
}

/**
 * Ends all memberships of an account that is deleted, in projects of others. Call it with the members of these projects locked, and as the
 * last change of the transaction, because it queues mails.
 */
export async function leaveProjects(tx: TransactionSql, accountId: bigint, actor: Actor): Promise<void> {
  const left = await tx<{ projectId: bigint; role: ProjectRole }[]>`
    delete from project_members where account_id = ${accountId} returning project_id as "projectId", role`;
  for (const { projectId, role } of left) await noteLeft(tx, { projectId, accountId, role }, actor);
}

async function noteLeft(
  tx: TransactionSql,
  { projectId, accountId, role }: { projectId: bigint; accountId: bigint; role: ProjectRole },
  actor: Actor,
): Promise<void> {
  const detail = detailOf({ accountId });
  await writeAudit(tx, { projectId, action: 'member.left', actor, detail, before: { role } });
  await notifyOwners(tx, projectId, { change: 'left', accountId, role });
}

/** What the audit log stores about a member. The email is read with the line: it goes with the account. */
function detailOf({ accountId }: Pick<Member, 'accountId'>) {
  return { member_account: String(accountId) };
}

/** Waits for changes that the member makes now. */
async function lockMember(tx: TransactionSql, { projectId, publicId }: MemberName): Promise<Member> {
  const [member] = await tx<Member[]>`
    select m.public_id as "publicId", a.id as "accountId", a.email, m.role, m.created_at as "joinedAt"
    from project_members m join accounts a on a.id = m.account_id
    where m.project_id = ${projectId} and m.public_id = ${publicId}::text::uuid
    for update of m`;
  if (!member) throw new AppError('member_not_found');
  return { ...member };
}

/** Resolves to the role that the member had; null if the account is none. Their invitations end, too. */
async function deleteMember(
  tx: TransactionSql,
  projectId: bigint,
  accountId: bigint,
): Promise<ProjectRole | null> {
  const [deleted] = await tx<{ role: ProjectRole }[]>`
    delete from project_members where project_id = ${projectId} and account_id = ${accountId} returning role`;
  if (!deleted) return null;
  await deleteInvitationsBy(tx, projectId, accountId);
  return deleted.role;
}

async function deleteInvitationsBy(tx: TransactionSql, projectId: bigint, accountId: bigint): Promise<void> {
  await tx`delete from project_invitations where project_id = ${projectId} and invited_by = ${accountId}`;
}
