import type { ProjectRole } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { writeAudit, type Actor } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { lockAccount, type LockedAccount } from '../accounts/lock-account.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import { lockMembers } from './lock-members.ts';
import { isOwner } from './memberships.ts';
import { notifyOwners } from './notify-owners.ts';
import type { ProjectOfAccount } from './projects-of-account.ts';

/** An invitation as its link finds it. */
type Invited = { publicId: string; projectId: bigint; email: string; role: ProjectRole };

/**
 * Makes the caller's account a member of the project that a link invites to. The link works once. The caller reads the mailbox and is
 * logged in to the account, so this verifies the email and revokes nothing. Throws AppError `link_expired`, also if the inviter is no
 * longer an owner, `invitation_for_other_email` and `already_member`.
 */
export async function acceptInvitation(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { accountId, tokenHash }: { accountId: bigint; tokenHash: Uint8Array },
): Promise<ProjectOfAccount> {
  return inTransaction(store, async (tx) => {
    const account = await lockAccount(tx, accountId);
    const invitedTo = await findProject(tx, tokenHash);
    if (invitedTo !== null) await lockMembers(tx, invitedTo);
    const actor = await authorize(tx);
    const invitation = await takeInvitation(tx, tokenHash);
    if (invitation === null) throw new AppError('link_expired');
    if (invitation.email !== account.email) throw new AppError('invitation_for_other_email');
    await noteVerified(tx, account, actor);
    return join(tx, account, { invitation, actor });
  });
}

/** The project of a link, to be locked before the caller is authorized. */
async function findProject(tx: TransactionSql, tokenHash: Uint8Array): Promise<bigint | null> {
  const [found] = await tx<{ projectId: bigint }[]>`
    select i.project_id as "projectId" from email_tokens t join project_invitations i on i.id = t.invitation_id
    where t.token_hash = ${tokenHash}`;
  return found?.projectId ?? null;
}

/** Deletes the invitation with all of its tokens. A refusal rolls that back, so a link that somebody else opens still works. */
async function takeInvitation(tx: TransactionSql, tokenHash: Uint8Array): Promise<Invited | null> {
  const [taken] = await tx<Invited[]>`
    delete from project_invitations i using email_tokens t, projects p
    where t.token_hash = ${tokenHash} and t.purpose = 'invitation' and t.expires_at > now()
      and i.id = t.invitation_id and i.expires_at > now() and p.id = i.project_id
      and ${isOwner(tx, tx`i.invited_by`)}
    returning i.public_id as "publicId", i.project_id as "projectId", i.email, i.role`;
  return taken ?? null;
}

async function noteVerified(
  tx: TransactionSql,
  { accountId, isVerified }: LockedAccount,
  actor: Actor,
): Promise<void> {
  if (isVerified) return;
  await tx`update accounts set email_verified_at = now() where id = ${accountId}`;
  await writeAudit(tx, { accountId, action: 'email.verified', actor });
}

async function join(
  tx: TransactionSql,
  { accountId }: LockedAccount,
  { invitation, actor }: { invitation: Invited; actor: Actor },
): Promise<ProjectOfAccount> {
  const { projectId, role } = invitation;
  const [project] = await tx<ProjectOfAccount[]>`
    with joined as (
      insert into project_members (project_id, account_id, role)
      select id, ${accountId}, ${role} from projects where id = ${projectId} and account_id <> ${accountId}
      on conflict (account_id, project_id) do nothing returning project_id, role
    )
    select p.public_id as "publicId", p.name, j.role, false as "isFirst", p.created_at as "createdAt"
    from joined j join projects p on p.id = j.project_id`;
  if (!project) throw new AppError('already_member');
  const detail = { invitation: invitation.publicId, member_account: String(accountId) };
  await writeAudit(tx, { projectId, action: 'member.joined', actor, detail, after: { role } });
  await notifyOwners(tx, projectId, { change: 'joined', accountId, role });
  return { ...project };
}
