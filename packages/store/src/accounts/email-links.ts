import { forgetCredentials } from '../redis/credential-cache.ts';
import type { EmailTokenPurpose } from '../schema/accounts/mails.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { deleteInvitationsOf } from '../members/invitations.ts';
import { lockMembersOfAccount } from '../members/lock-members.ts';
import type { Store } from '../store.ts';
import { revokeProjectAccess } from './accounts.ts';
import type { Authorize } from './authorize.ts';
import { writeAudit, type Actor } from './audit.ts';
import { lockAccount, type LockedAccount } from './lock-account.ts';
import { removeOperator } from './operators.ts';
import { deleteSessions } from './sessions.ts';

/** The account that a link leads to. */
export type LinkAccount = { accountId: bigint; email: string; passwordHash: string };

/** The account of an unused link, by the SHA-256 of its token. Null if the link is unknown, used or expired. Uses nothing up. */
export async function findLinkAccount(
  { sql }: Pick<Store, 'sql'>,
  tokenHash: Uint8Array,
  purpose: EmailTokenPurpose,
): Promise<LinkAccount | null> {
  const [row] = await sql<LinkAccount[]>`
    select a.id as "accountId", a.email, a.password_hash as "passwordHash"
    from email_tokens t join accounts a on a.id = t.account_id
    where t.token_hash = ${tokenHash} and t.purpose = ${purpose} and t.expires_at > now() and t.email = a.email`;
  return row ?? null;
}

/** Asks for a password reset. The worker looks for the account when it sends, so that this takes the same time for every email. */
export async function requestPasswordReset(store: Pick<Store, 'sql'>, email: string): Promise<void> {
  await inTransaction(store, (tx) =>
    queueMail(tx, { accountId: null, recipient: email, kind: 'reset_password', language: 'en' }),
  );
}

/** A link that is used: the SHA-256 of its token, and the address of the client. */
export type UsedLink = { tokenHash: Uint8Array; ip: string | null };

/** The actor for the audit log: the user of a link acts as the owner of its account. */
export function ownerBy({ accountId }: Pick<LockedAccount, 'accountId'>, { ip }: UsedLink): Actor {
  return { name: 'session', accountId, ip };
}

/**
 * Sets a password by a link. Ends all sessions and sent invitations before it resolves. If it is the first proof of the address, somebody
 * else may have registered it: then members, API keys, endpoint, overlay token, unverified wallets and pending changes of wallets are revoked,
 * too, and the operator's area. Cancels a pending change of email. Returns false if the link is unknown, used or expired.
 */
export async function resetPasswordByLink(
  store: Store,
  link: UsedLink,
  passwordHash: string,
): Promise<boolean> {
  const revoked = await inTransaction(store, async (tx) => {
    const account = await useLink(tx, link.tokenHash, 'reset');
    if (account === null) return null;
    const { accountId } = account;
    await lockMembersOfAccount(tx, accountId);
    await tx`
      update accounts set password_hash = ${passwordHash}, email_verified_at = coalesce(email_verified_at, now())
      where id = ${accountId}`;
    await tx`delete from email_changes where account_id = ${accountId}`;
    await writeAudit(tx, { accountId, action: 'password.reset', actor: ownerBy(account, link) });
    // First: a change by a session holds the session's row and waits for the project, which the rest locks.
    const sessions = await deleteSessions(tx, accountId);
    await deleteInvitationsOf(tx, accountId);
    const actor = ownerBy(account, link);
    const apiKeys = account.isVerified ? [] : await revokeProjectAccess(tx, accountId, actor);
    if (!account.isVerified) await removeOperator(tx, accountId, actor);
    await queueMail(tx, { ...account, recipient: account.email, kind: 'password_changed' });
    return { sessions, apiKeys };
  });
  if (revoked === null) return false;
  await forgetCredentials(store, revoked);
  return true;
}

/**
 * Marks the address as verified. `passwordHash` is the one that the caller's password was checked against. A caller with
 * both the mailbox and the password is the owner, so nothing is revoked. Returns false if the link was used or the password
 * changed meanwhile.
 */
export async function verifyEmailByLink(
  store: Pick<Store, 'sql'>,
  link: UsedLink,
  passwordHash: string,
): Promise<boolean> {
  return inTransaction(store, async (tx) => {
    const account = await useLink(tx, link.tokenHash, 'verify');
    if (account === null || account.passwordHash !== passwordHash) return false;
    const { accountId } = account;
    await tx`update accounts set email_verified_at = now() where id = ${accountId} and email_verified_at is null`;
    await writeAudit(tx, { accountId, action: 'email.verified', actor: ownerBy(account, link) });
    return true;
  });
}

/** Queues another link to verify an address; nothing if it is verified. */
export async function requestVerification(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  accountId: bigint,
): Promise<void> {
  await inTransaction(store, async (tx) => {
    const account = await lockAccount(tx, accountId);
    await authorize(tx);
    if (!account.isVerified)
      await queueMail(tx, { ...account, recipient: account.email, kind: 'verify_email' });
  });
}

/** Links that work although the account has another address: the new one's, and those that only keep what is. */
const FOR_ANY_ADDRESS: ReadonlySet<EmailTokenPurpose> = new Set(['change_to', 'cancel_wallet_changes']);

/**
 * Uses a link up, with all other links of the account for the same purpose, and locks the account. Null if the link is unknown,
 * used or expired, or the account has another email by now, unless the link serves any address.
 */
export async function useLink(
  tx: TransactionSql,
  tokenHash: Uint8Array,
  purpose: EmailTokenPurpose,
): Promise<LockedAccount | null> {
  const [owner] = await tx<{ accountId: bigint }[]>`
    select account_id as "accountId" from email_tokens where token_hash = ${tokenHash} and purpose = ${purpose}`;
  if (!owner) return null;
  const account = await lockAccount(tx, owner.accountId);
  // After the lock: of two uses at once, the second finds nothing.
  const used = await tx<{ tokenHash: Buffer; email: string; isValid: boolean }[]>`
    delete from email_tokens where account_id = ${owner.accountId} and purpose = ${purpose}
    returning token_hash as "tokenHash", email, expires_at > now() as "isValid"`;
  const link = used.find((one) => one.tokenHash.equals(tokenHash));
  const isOwn = FOR_ANY_ADDRESS.has(purpose) || link?.email === account.email;
  return link?.isValid === true && isOwn ? account : null;
}
