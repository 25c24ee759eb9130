import { randomToken } from '@paywatch/runtime/security';
import { queueMail } from '../../mails/queue-mail.ts';
import { deleteInvitationsOf } from '../../members/invitations.ts';
import { leaveProjects } from '../../members/change-members.ts';
import { lockMembersOfAccount } from '../../members/lock-members.ts';
import { inTransaction, type TransactionSql } from '../../postgres/database.ts';
import { forgetCredentials, type RevokedCredentials } from '../../redis/credential-cache.ts';
import type { Store } from '../../store.ts';
import { revokeProjectAccess } from '../accounts.ts';
import { writeAudit } from '../audit.ts';
import type { Authorize } from '../authorize.ts';
import { lockAccount, type LockedAccount } from '../lock-account.ts';
import { removeOperator } from '../operators.ts';
import { deleteSessions } from '../sessions.ts';

/** After this many days donors' names and messages of a deleted project are removed, if its owner did not have them removed earlier. */
const DONOR_TEXTS_DAYS = 30;

/** Which account is deleted. */
export type AccountDeletion = {
  accountId: bigint;
  /** The hash that the caller's password was checked against; null: no password was asked for. */
  passwordHash: string | null;
  /** Why the operator deletes it, for the audit log. */
  reason?: string;
};

/**
 * Deletes an account: once this resolves, nothing opens it or its projects any more on any replica, streams included, and its email can
 * register a new account. Open invoices are watched and decided to the end; `LEFT_TABLES` lists what stays, and for how long. A mail
 * confirms. Returns false and changes nothing if the password was changed meanwhile, or the account was deleted.
 */
export async function deleteAccount(
  store: Store,
  authorize: Authorize,
  deletion: AccountDeletion,
): Promise<boolean> {
  const revoked = await inTransaction(store, (tx) => deleteIn(tx, authorize, deletion));
  if (revoked === null) return false;
  await forgetCredentials(store, revoked);
  return true;
}

async function deleteIn(
  tx: TransactionSql,
  authorize: Authorize,
  deletion: AccountDeletion,
): Promise<RevokedCredentials | null> {
  const { accountId, reason } = deletion;
  const account = await lockAccount(tx, accountId);
  await lockMembersOfAccount(tx, accountId);
  const actor = await authorize(tx);
  if (!(await forgetPerson(tx, deletion))) return null;
  await writeAudit(tx, {
    accountId,
    action: 'account.deleted',
    actor,
    ...(reason && { detail: { reason } }),
  });
  // Before the projects: a change by a session holds the session's row and waits for the project, which the rest locks.
  const sessions = await deleteSessions(tx, accountId);
  await removeOperator(tx, accountId, actor);
  const apiKeys = await revokeProjectAccess(tx, accountId, actor);
  const projects = await tx<{ id: bigint }[]>`
    select id from projects where account_id = ${accountId} order by id`;
  for (const { id } of projects) await closeProject(tx, id);
  await confirmByMail(tx, account);
  await leaveProjects(tx, accountId, actor);
  return { sessions, apiKeys };
}

/** Leaves a row that nobody can log in to or find, and that gets no notices: lines of the audit log and projects name it. */
async function forgetPerson(
  tx: TransactionSql,
  { accountId, passwordHash }: AccountDeletion,
): Promise<boolean> {
  const { count } = await tx`
    update accounts set email = ${`deleted ${randomToken(16)}`}, email_verified_at = null, password_hash = '',
      muted_notices = '{}', passkey_user_id = null, deleted_at = now()
    where id = ${accountId} and deleted_at is null
      and (${passwordHash}::text is null or password_hash = ${passwordHash})`;
  if (count === 0) return false;
  await tx`delete from email_changes where account_id = ${accountId}`;
  await tx`delete from email_tokens where account_id = ${accountId}`;
  await tx`delete from login_origins where account_id = ${accountId}`;
  await deleteInvitationsOf(tx, accountId);
  return true;
}

/** Ends what a project offers to buyers and donors, and its wallets. Open invoices keep their addresses. */
async function closeProject(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`delete from payment_links where project_id = ${projectId}`;
  await tx`
    update wallets set status = 'replaced', replaced_at = now() where project_id = ${projectId} and status = 'verified'`;
  await tx`delete from api_keys where project_id = ${projectId}`;
  await tx`delete from uploads where project_id = ${projectId}`;
  await tx`delete from overlay_donations where project_id = ${projectId} and test`;
  await tx`
    update projects set donate_token = ${randomToken(16)}, overlay_settings = '{}', overlay_sources = '{}',
      overlay_version = overlay_version + 1, subscription_active_until = null, address_limit = null,
      donor_texts_days = least(donor_texts_days, ${DONOR_TEXTS_DAYS}), deleted_at = now()
    where id = ${projectId}`;
}

/** After the mails that wait: nobody reads them in an account that is gone. They stay, because the limits of mails count them. */
async function confirmByMail(
  tx: TransactionSql,
  { accountId, email, language }: LockedAccount,
): Promise<void> {
  await tx`update mails set status = 'dropped', ended_at = now() where account_id = ${accountId} and status = 'pending'`;
  await queueMail(tx, { accountId, recipient: email, kind: 'account_deleted', language });
}
