import { INVITATION_DAYS, MAX_MEMBERS, type MailLanguage, type ProjectRole } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { writeAudit } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import type { Invitation } from './list-members.ts';
import { lockMembers } from './lock-members.ts';
import { maskedEmail } from './masked-email.ts';
import { notifyOwners } from './notify-owners.ts';

/** An invitation to send. */
export type NewInvitation = {
  projectId: bigint;
  /** The owner who sends it. */
  accountId: bigint;
  /** Trimmed and lower-cased. */
  email: string;
  role: ProjectRole;
};

/**
 * Invites an address to a project, and queues the mail with the link and a notice to the owners. Replaces an earlier invitation of the
 * address, whose link stops working. Throws AppError `email_not_verified` (the inviter's), `already_member`, `too_many_members`, and
 * `rate_limited` if the inviter has sent too many.
 */
export async function inviteMember(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  invitation: NewInvitation,
): Promise<Invitation> {
  const { projectId, role } = invitation;
  return inTransaction(store, async (tx) => {
    await lockMembers(tx, projectId);
    const actor = await authorize(tx);
    const language = await assertVerified(tx, invitation.accountId);
    await assertNoMember(tx, invitation);
    await deleteReplaced(tx, invitation);
    await assertRoom(tx, projectId);
    const created = await insertInvitation(tx, invitation);
    await writeAudit(tx, {
      projectId,
      action: 'member.invited',
      actor,
      detail: detailOf(created),
      after: { role },
    });
    await mailLink(tx, invitation, { publicId: created.publicId, language });
    await notifyOwners(tx, projectId, { change: 'invited', accountId: invitation.accountId, role });
    return created;
  });
}

/** What the audit log stores about an invitation. Without the address: nobody could delete it there. */
function detailOf({ publicId, email }: Pick<Invitation, 'publicId' | 'email'>) {
  return { invitation: publicId, email: maskedEmail(email) };
}

/** Resolves to the language of the inviter. An unverified address could be anybody's, and the mail names it. */
async function assertVerified(tx: TransactionSql, accountId: bigint): Promise<MailLanguage> {
  const [inviter] = await tx<{ language: MailLanguage }[]>`
    select language from accounts where id = ${accountId} and email_verified_at is not null`;
  if (!inviter) throw new AppError('email_not_verified');
  return inviter.language;
}

async function assertNoMember(
  tx: TransactionSql,
  { projectId, email }: Pick<NewInvitation, 'projectId' | 'email'>,
): Promise<void> {
  const [member] = await tx`
    select from accounts a
    where a.email = ${email} and (
      exists (select from projects p where p.id = ${projectId} and p.account_id = a.id)
      or exists (select from project_members m where m.project_id = ${projectId} and m.account_id = a.id))`;
  if (member) throw new AppError('already_member');
}

/** The earlier invitation of the address, and expired ones, which must not count. Their tokens go with them. */
async function deleteReplaced(
  tx: TransactionSql,
  { projectId, email }: Pick<NewInvitation, 'projectId' | 'email'>,
): Promise<void> {
  await tx`
    delete from project_invitations
    where project_id = ${projectId} and (email = ${email} or expires_at <= now())`;
}

async function assertRoom(tx: TransactionSql, projectId: bigint): Promise<void> {
  const [counted] = await tx<{ people: number }[]>`
    select ((select count(*) from project_members where project_id = ${projectId})
      + (select count(*) from project_invitations where project_id = ${projectId}))::int as people`;
  if ((counted?.people ?? 0) >= MAX_MEMBERS) throw new AppError('too_many_members');
}

async function insertInvitation(
  tx: TransactionSql,
  { projectId, accountId, email, role }: NewInvitation,
): Promise<Invitation> {
  const [created] = await tx<Invitation[]>`
    insert into project_invitations (project_id, email, role, invited_by, expires_at)
    values (${projectId}, ${email}, ${role}, ${accountId}, now() + make_interval(days => ${INVITATION_DAYS}))
    returning public_id as "publicId", email, role, expires_at as "expiresAt", created_at as "createdAt"`;
  if (!created) throw new Error(`invitation to project ${projectId} was not inserted`);
  return { ...created };
}

/** The worker creates the link when it sends the mail. Without a mail there must be no invitation: nobody could accept it. */
async function mailLink(
  tx: TransactionSql,
  { accountId, email }: NewInvitation,
  { publicId, language }: { publicId: string; language: MailLanguage },
): Promise<void> {
  const data = { invitation: publicId };
  const isQueued = await queueMail(tx, { accountId, recipient: email, kind: 'invitation', language, data });
  if (!isQueued) throw new AppError('rate_limited', TOO_MANY_INVITATIONS, { retryAfterSeconds: 3600 });
}

const TOO_MANY_INVITATIONS =
  'Too many invitations were mailed. Retry after the number of seconds in Retry-After.';

/**
 * Deletes all pending invitations that an account sent, for any project: a thief with its password may have sent them. Call it after
 * deleting the sessions of the account, so that it sends no more.
 */
export async function deleteInvitationsOf(tx: TransactionSql, accountId: bigint): Promise<void> {
  await tx`delete from project_invitations where invited_by = ${accountId}`;
}

/** Cancels an invitation; its link no longer works. Throws AppError `invitation_not_found`. */
export async function cancelInvitation(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { projectId, publicId }: { projectId: bigint; publicId: string },
): Promise<Invitation> {
  return inTransaction(store, async (tx) => {
    await lockMembers(tx, projectId);
    const actor = await authorize(tx);
    const [cancelled] = await tx<Invitation[]>`
      delete from project_invitations
      where project_id = ${projectId} and public_id = ${publicId}::text::uuid and expires_at > now()
      returning public_id as "publicId", email, role, expires_at as "expiresAt", created_at as "createdAt"`;
    if (!cancelled) throw new AppError('invitation_not_found');
    const { role } = cancelled;
    const detail = detailOf(cancelled);
    await writeAudit(tx, { projectId, action: 'invitation.cancelled', actor, detail, before: { role } });
    return { ...cancelled };
  });
}
