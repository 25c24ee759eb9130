import { inTransaction, violatedConstraint, type TransactionSql } from '../postgres/database.ts';
import { LINK_SECONDS } from '../mails/mail-kinds.ts';
import { queueMail } from '../mails/queue-mail.ts';
import type { EmailTokenPurpose } from '../schema/accounts/mails.ts';
import type { Store } from '../store.ts';
import { writeAudit, type Actor } from './audit.ts';
import type { Authorize } from './authorize.ts';
import { ownerBy, useLink, type UsedLink } from './email-links.ts';
import { lockAccount, type LockedAccount } from './lock-account.ts';

/** A requested change. `passwordHash` is the one that the caller's password was checked against. */
export type EmailChange = { accountId: bigint; passwordHash: string; newEmail: string };

/**
 * Starts a change of email, in place of an earlier one, and queues a link to both addresses. A present address that was never
 * verified need not confirm: it may be misspelled. Returns false if the password was changed meanwhile.
 */
export async function requestEmailChange(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { accountId, passwordHash, newEmail }: EmailChange,
): Promise<boolean> {
  return inTransaction(store, async (tx) => {
    const account = await lockAccount(tx, accountId);
    const actor = await authorize(tx);
    if (account.passwordHash !== passwordHash) return false;
    await tx`delete from email_tokens where account_id = ${accountId} and purpose in ('change_from', 'change_to')`;
    await tx`delete from email_changes where account_id = ${accountId}`;
    if (newEmail === account.email) return true;
    await insertChange(tx, account, newEmail);
    await writeAudit(tx, { accountId, action: 'email.change_requested', actor });
    const { email, language } = account;
    if (account.isVerified)
      await queueMail(tx, { accountId, recipient: email, kind: 'confirm_old_email', language });
    await queueMail(tx, { accountId, recipient: newEmail, kind: 'confirm_new_email', language });
    return true;
  });
}

async function insertChange(
  tx: TransactionSql,
  { accountId, isVerified }: LockedAccount,
  newEmail: string,
): Promise<void> {
  await tx`
    insert into email_changes (account_id, new_email, current_confirmed_at, expires_at)
    values (${accountId}, ${newEmail}, case when ${isVerified}::boolean then null else now() end,
      now() + make_interval(secs => ${LINK_SECONDS}))`;
}

/** `waiting`: the other address has not confirmed yet. `taken`: another account has the new address. */
export type EmailConfirmation = 'link_expired' | 'waiting' | 'changed' | 'taken';

/**
 * Confirms a change of email with a link to either address. With the second one the account has the new email, which counts as
 * verified, and a mail informs the former address.
 */
export async function confirmEmailByLink(
  store: Pick<Store, 'sql'>,
  link: UsedLink,
): Promise<EmailConfirmation> {
  try {
    return await inTransaction(store, (tx) => confirm(tx, link));
  } catch (error) {
    if (violatedConstraint(error) === 'accounts_email_unique') return 'taken';
    throw error;
  }
}

async function confirm(tx: TransactionSql, link: UsedLink): Promise<EmailConfirmation> {
  for (const purpose of ['change_from', 'change_to'] as const) {
    const account = await useLink(tx, link.tokenHash, purpose);
    if (account !== null) return confirmOne(tx, account, { purpose, link });
  }
  return 'link_expired';
}

async function confirmOne(
  tx: TransactionSql,
  account: LockedAccount,
  { purpose, link }: { purpose: Extract<EmailTokenPurpose, 'change_from' | 'change_to'>; link: UsedLink },
): Promise<EmailConfirmation> {
  const confirmed = tx(purpose === 'change_from' ? 'current_confirmed_at' : 'new_confirmed_at');
  const [change] = await tx<{ newEmail: string; isComplete: boolean }[]>`
    update email_changes set ${confirmed} = now()
    where account_id = ${account.accountId} and expires_at > now()
    returning new_email as "newEmail",
      current_confirmed_at is not null and new_confirmed_at is not null as "isComplete"`;
  if (!change) return 'link_expired';
  if (!change.isComplete) return 'waiting';
  await applyChange(tx, account, { newEmail: change.newEmail, actor: ownerBy(account, link) });
  return 'changed';
}

async function applyChange(
  tx: TransactionSql,
  account: LockedAccount,
  { newEmail, actor }: { newEmail: string; actor: Actor },
): Promise<void> {
  const { accountId, email, language, isVerified } = account;
  await tx`update accounts set email = ${newEmail}, email_verified_at = now() where id = ${accountId}`;
  await tx`delete from email_changes where account_id = ${accountId}`;
  // Links that the former address received must not work any more, but those that cancel: a thief may have changed the address. The
  // links of invitations went to others.
  await tx`
    delete from email_tokens
    where account_id = ${accountId} and purpose not in ('cancel_wallet_changes', 'invitation')`;
  await writeAudit(tx, { accountId, action: 'email.changed', actor });
  if (isVerified) await queueMail(tx, { accountId, recipient: email, kind: 'email_changed', language });
}
