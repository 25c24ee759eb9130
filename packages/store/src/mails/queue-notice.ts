import type { MailLanguage, NoticeKind } from '@paywatch/domain/contract';
import type { TransactionSql } from '../postgres/database.ts';
import type { MailData } from './mail-kinds.ts';
import { queueMail } from './queue-mail.ts';

/** The account that a notice goes to, itself or by its project. */
type Owner = { accountId: bigint } | { projectId: bigint };

/** A notice, or a mail about the notices themselves or about a gain or loss of power, which nobody can switch off. */
export type Notice = {
  kind: NoticeKind | 'notices_changed' | 'owners_changed' | 'membership_changed';
  data?: MailData;
  dedupeKey?: string;
};

/**
 * Queues a notice for the owner of an account or project, if the address is verified and the owner wants the kind. Call it at the
 * end of the transaction that the notice is about.
 */
export async function queueNotice(tx: TransactionSql, owner: Owner, notice: Notice): Promise<void> {
  const isOwner =
    'accountId' in owner
      ? tx`a.id = ${owner.accountId}`
      : tx`a.id = (select account_id from projects where id = ${owner.projectId})`;
  const [account] = await tx<{ accountId: bigint; recipient: string; language: MailLanguage }[]>`
    select a.id as "accountId", a.email as recipient, a.language from accounts a
    where ${isOwner} and a.email_verified_at is not null and not (${notice.kind} = any (a.muted_notices))`;
  if (account) await queueMail(tx, { ...account, ...notice });
}

/** A mail about what a thief would do: no choice of notices switches it off. */
export type ProjectMail = { kind: 'wallet_change_pending' | 'wallet_change_ended'; data: MailData };

/**
 * Queues a mail to the owner of a project, verified or not: an owner who never verified the address loses as much. Returns whether
 * it was written; see `MAX_MAILS`.
 */
export async function queueProjectMail(
  tx: TransactionSql,
  projectId: bigint,
  mail: ProjectMail,
): Promise<boolean> {
  const [account] = await tx<{ accountId: bigint; recipient: string; language: MailLanguage }[]>`
    select a.id as "accountId", a.email as recipient, a.language
    from accounts a join projects p on p.account_id = a.id where p.id = ${projectId}`;
  if (!account) throw new Error(`project ${projectId} has no account`);
  return queueMail(tx, { ...account, ...mail });
}
