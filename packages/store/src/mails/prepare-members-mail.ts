import type { MailLanguage, ProjectRole } from '@paywatch/domain/contract';
import { harmlessEmail } from '../members/masked-email.ts';
import { isOwner } from '../members/memberships.ts';
import type { Store } from '../store.ts';
import type { MailData } from './mail-kinds.ts';
import type { PreparedMail } from './prepare-mail.ts';
import type { ClaimedMail } from './send-mails.ts';

type InvitationRow = { language: MailLanguage; role: ProjectRole; project: string; inviter: string };

/**
 * Prepares the mail of an invitation, in the language of the invited account if there is one, otherwise in that of the inviter. Null if
 * the invitation is no longer pending, or the inviter is no longer an owner of the project.
 */
export async function prepareInvitation(
  { sql }: Pick<Store, 'sql'>,
  { recipient, data: { invitation = '' } }: ClaimedMail,
  tokenHash: Uint8Array,
): Promise<PreparedMail | null> {
  // The lock: a token of an invitation that is deleted at the same time could not be stored.
  const [found] = await sql<InvitationRow[]>`
    with invitation as (
      select i.id, i.invited_by, i.role, i.expires_at, p.name as project, inviter.email as inviter,
        coalesce(invited.language, inviter.language) as language
      from project_invitations i
      join projects p on p.id = i.project_id
      join accounts inviter on inviter.id = i.invited_by
      left join accounts invited on invited.email = i.email
      where i.public_id::text = ${invitation} and i.email = ${recipient} and i.expires_at > now()
        and ${isOwner(sql, sql`i.invited_by`)}
      for key share of i
    ), token as (
      insert into email_tokens (token_hash, account_id, purpose, email, invitation_id, expires_at)
      select ${tokenHash}, invited_by, 'invitation', ${recipient}, id, expires_at from invitation
    )
    select language, role, project, inviter from invitation`;
  if (!found) return null;
  const { language, inviter, ...data } = found;
  return { language, hasLink: true, data: { ...data, inviter: harmlessEmail(inviter) } };
}

/** What a notice about a member names besides the change: the project, and the email of the member, empty if the account is gone. */
export async function namesOfChange(
  { sql }: Pick<Store, 'sql'>,
  { project = '', member = '', change = '', role = '' }: MailData,
): Promise<MailData> {
  const [found] = await sql<{ project: string; member: string | null }[]>`
    select p.name as project, case when a.deleted_at is null then a.email end as member
    from projects p left join accounts a on a.id = ${member}::text::bigint
    where p.id = ${project}::text::bigint`;
  const email = found?.member ?? null;
  return { change, role, project: found?.project ?? '', member: email === null ? '' : harmlessEmail(email) };
}
