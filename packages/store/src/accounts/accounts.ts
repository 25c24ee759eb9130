import type { MailLanguage } from '@paywatch/domain/contract';
import type { Fragment } from 'postgres';
import { queueMail } from '../mails/queue-mail.ts';
import { queueNotice } from '../mails/queue-notice.ts';
import { deleteInvitationsOf } from '../members/invitations.ts';
import { lockMembersOfAccount } from '../members/lock-members.ts';
import { cancelAll } from '../pools/wallets/cancel-changes.ts';
import { writeAudit, type Actor } from './audit.ts';
import { notePassword, type Authorize, type SessionCredential } from './authorize.ts';
import { lockAccount } from './lock-account.ts';
import { replaceOverlayLinks } from '../donations/overlay/overlay-access.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { forgetCredentials } from '../redis/credential-cache.ts';
import type { KeyName } from '../redis/limits/key-limits.ts';
import { assertNoOperator } from './operators.ts';
import { deleteSessions } from './sessions.ts';
import { deleteSecondFactors, hasSecondFactor } from './second-factors/factors.ts';
import type { Store } from '../store.ts';

/** An account to create, together with its project. */
export type NewAccount = {
  /** Trimmed and lower-cased. */
  email: string;
  passwordHash: string;
  donateToken: string;
  overlayToken: string;
  /** Of mails; English by default. */
  language?: MailLanguage;
  /** 0: no trial. */
  trialDays: number;
  /** The address of the client; null if unknown. */
  ip?: string | null;
  /** Whether the account becomes the operator, because its owner has the operator code. */
  isOperator?: boolean;
};

/**
 * Creates the account and its project. If the email is taken, nothing changes; in both cases an audit line and a mail
 * to the address are written and committed, so that both take about as long. Throws OperatorExistsError and changes nothing if the
 * account was to become the operator and there is one.
 */
export async function registerAccount(store: Store, account: NewAccount): Promise<void> {
  const { email, passwordHash, language = 'en', isOperator = false } = account;
  await store.sql.begin(async (tx) => {
    if (isOperator) await assertNoOperator(tx);
    const [created] = await tx<{ id: bigint }[]>`
      insert into accounts (email, password_hash, language, is_operator)
      values (${email}, ${passwordHash}, ${language}, ${isOperator})
      on conflict (email) do nothing
      returning id`;
    if (created) await createProject(tx, created.id, account);
    else await noteRepeatedRegistration(tx, account);
  });
}

async function createProject(tx: TransactionSql, accountId: bigint, account: NewAccount): Promise<void> {
  const { email, language = 'en', donateToken, overlayToken, trialDays, ip = null, isOperator } = account;
  const [project] = await tx<{ id: bigint }[]>`
    insert into projects (account_id, donate_token, overlay_token, subscription_active_until)
    values (${accountId}, ${donateToken}, ${overlayToken},
      case when ${trialDays}::int > 0 then now() + make_interval(days => ${trialDays}::int) end)
    returning id`;
  if (!project) throw new Error(`project of account ${accountId} was not inserted`);
  const actor = { name: 'session', accountId, ip };
  await writeAudit(tx, { accountId, projectId: project.id, action: 'account.registered', actor });
  if (isOperator) await writeAudit(tx, { accountId, action: 'operator.added', actor });
  await queueMail(tx, { accountId, recipient: email, kind: 'verify_email', language });
}

async function noteRepeatedRegistration(tx: TransactionSql, { email, ip = null }: NewAccount): Promise<void> {
  const [owner] = await tx<{ accountId: bigint; language: MailLanguage }[]>`
    select id as "accountId", language from accounts where email = ${email}`;
  // The clean-up deleted the unused account in this moment.
  if (!owner) return;
  const { accountId, language } = owner;
  const actor = { name: 'unknown', accountId: null, ip };
  await writeAudit(tx, { accountId, action: 'account.registered_again', actor });
  await queueMail(tx, { accountId, recipient: email, kind: 'already_registered', language });
}

/** What a login is checked against. */
export type LoginAccount = {
  accountId: bigint;
  passwordHash: string;
  /** Whether a login needs a code of an authenticator app or a recovery code, too. */
  hasSecondFactor: boolean;
  /** Whether somebody logged in from this origin within the last 30 days. */
  isKnownOrigin: boolean;
  /** How often the operator has unlocked it: earlier failed logins do not count. */
  unlocks: number;
};

/** The account with this email, as seen from this origin; null if the email is unknown. */
export async function findLoginAccount(
  { sql }: Pick<Store, 'sql'>,
  email: string,
  origin: string,
): Promise<LoginAccount | null> {
  const [row] = await sql<LoginAccount[]>`
    select a.id as "accountId", a.password_hash as "passwordHash", ${hasSecondFactor(sql, sql`a.id`)} as "hasSecondFactor",
      ${isKnown(sql, sql`a.id`, origin)} as "isKnownOrigin", a.unlocks
    from accounts a where a.email = ${email}`;
  return row ?? null;
}

/** Where a factor of an account is given, and how often the operator has unlocked the account. */
export type LoginOrigin = Pick<LoginAccount, 'isKnownOrigin' | 'unlocks'>;

/** Reads what failed attempts on an account count for. Throws if there is no such account. */
export async function readLoginOrigin(
  { sql }: Pick<Store, 'sql'>,
  accountId: bigint,
  origin: string,
): Promise<LoginOrigin> {
  const [row] = await sql<LoginOrigin[]>`
    select ${isKnown(sql, sql`a.id`, origin)} as "isKnownOrigin", a.unlocks from accounts a where a.id = ${accountId}`;
  if (!row) throw new Error(`account ${accountId} not found`);
  return row;
}

/** How often the operator has unlocked an account. */
export async function countUnlocks({ sql }: Pick<Store, 'sql'>, accountId: bigint): Promise<number> {
  const [row] = await sql<{ unlocks: number }[]>`select unlocks from accounts where id = ${accountId}`;
  return row?.unlocks ?? 0;
}

/**
 * Lets logins to an account, and wrong passwords and codes of its owner, be tried again: failed ones so far do not count any more, on any
 * replica. For the operator, who gives a reason. Each call restores the full number of attempts.
 */
export async function unlockAccount(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { accountId, reason }: { accountId: bigint; reason: string },
): Promise<void> {
  await inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await tx`update accounts set unlocks = unlocks + 1 where id = ${accountId}`;
    await writeAudit(tx, { accountId, action: 'account.unlocked', actor, detail: { reason } });
  });
}

function isKnown(sql: AnySql, accountId: Fragment, origin: string): Fragment {
  return sql`exists (
    select from login_origins o
    where o.account_id = ${accountId} and o.origin = ${origin} and o.last_login_at > now() - interval '30 days')`;
}

/** The password hash of an account, and the email, which its password must not contain. Throws if there is no such account. */
export async function findOwnPassword(
  { sql }: Pick<Store, 'sql'>,
  accountId: bigint,
): Promise<{ passwordHash: string; email: string }> {
  const [row] = await sql<{ passwordHash: string; email: string }[]>`
    select password_hash as "passwordHash", email from accounts where id = ${accountId}`;
  if (!row) throw new Error(`account ${accountId} not found`);
  return row;
}

/**
 * Notes that the owner of a session gave the password again, which allows changes until the returned time. Null if the password was changed
 * meanwhile.
 */
export async function confirmPassword(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  caller: SessionCredential,
  passwordHash: string,
): Promise<Date | null> {
  return inTransaction(store, async (tx) => {
    const account = await lockAccount(tx, caller.accountId);
    await authorize(tx);
    return account.passwordHash === passwordHash ? notePassword(tx, caller) : null;
  });
}

/**
 * Replaces the password if it is still the one that was checked. Ends all sessions and sent invitations before it resolves. Returns false and
 * changes nothing if the password was changed meanwhile.
 */
export async function changePassword(
  store: Store,
  authorize: Authorize,
  change: { accountId: bigint; currentHash: string; newHash: string },
): Promise<boolean> {
  const { accountId, currentHash, newHash } = change;
  const ended = await inTransaction(store, async (tx) => {
    // After the account's row is locked, so that two concurrent changes lock in the same order.
    const changed = await tx`
      update accounts set password_hash = ${newHash} where id = ${accountId} and password_hash = ${currentHash}`;
    await lockMembersOfAccount(tx, accountId);
    const actor = await authorize(tx);
    if (changed.count === 0) return null;
    await writeAudit(tx, { accountId, action: 'password.changed', actor });
    const sessions = await deleteSessions(tx, accountId);
    await deleteInvitationsOf(tx, accountId);
    await queueNotice(tx, { accountId }, { kind: 'password_changed' });
    return sessions;
  });
  if (ended === null) return false;
  await forgetCredentials(store, { sessions: ended });
  return true;
}

/**
 * Recovers an account for its owner: sets a password and revokes all access that somebody else may have, before it resolves.
 * That covers sessions, members, sent invitations, API keys, webhook endpoints with their secrets, unverified wallets, pending changes of
 * wallets, and the overlay token with its open streams. For the operator. Returns false if there is no such account.
 */
export async function recoverAccount(
  store: Store,
  accountId: bigint,
  passwordHash: string,
): Promise<boolean> {
  const revoked = await inTransaction(store, async (tx) => {
    const changed = await tx`update accounts set password_hash = ${passwordHash} where id = ${accountId}`;
    if (changed.count === 0) return null;
    await lockMembersOfAccount(tx, accountId);
    await writeAudit(tx, { accountId, action: 'password.reset', actor: 'operator' });
    // First: a change by a session holds the session's row and waits for the project, which the rest locks.
    const sessions = await deleteSessions(tx, accountId);
    await deleteInvitationsOf(tx, accountId);
    return { sessions, apiKeys: await revokeProjectAccess(tx, accountId, 'operator') };
  });
  if (revoked === null) return false;
  await forgetCredentials(store, revoked);
  return true;
}

/**
 * Revokes what gives access to an account's projects besides sessions, pending changes of their wallets, and the second factors,
 * which may be somebody else's, members and invitations included, and resets donation pages and branding, whose links may be, too. The caller
 * has locked the members of the account's projects, so that nobody joins meanwhile. Returns the API keys to forget after the commit.
 */
export async function revokeProjectAccess(
  tx: TransactionSql,
  accountId: bigint,
  actor: Actor,
): Promise<KeyName[]> {
  await deleteSecondFactors(tx, accountId);
  const projects = tx`select id from projects where account_id = ${accountId}`;
  // First: a change by a member holds the row of the membership and waits for the project, which the rest locks.
  await tx`delete from project_members where project_id in (${projects})`;
  await tx`delete from project_invitations where project_id in (${projects})`;
  const keys = await tx<{ projectId: bigint; secretHash: Buffer }[]>`
    update api_keys set revoked_at = now() where project_id in (${projects}) and revoked_at is null
    returning project_id as "projectId", secret_hash as "secretHash"`;
  for (const { id } of await tx<{ id: bigint }[]>`${projects} order by id`)
    await cancelAll(tx, id, { actor, reason: 'recovery' });
  await tx`delete from webhook_endpoints where owner_id in (${projects})`;
  await tx`delete from wallets where project_id in (${projects}) and status = 'unverified'`;
  await tx`update projects set donation_page = '{}', branding = '{}' where account_id = ${accountId}`;
  await tx`delete from uploads where kind = 'logo' and project_id in (${projects})`;
  for (const { id } of await tx<{ id: bigint }[]>`${projects} order by id`) await replaceOverlayLinks(tx, id);
  return keys.map(({ projectId, secretHash }) => ({ projectId, tokenHash: secretHash.toString('hex') }));
}
