import { writeAudit } from './audit.ts';
import type { TransactionSql } from './database.ts';
import { forgetCredentials } from './redis/credential-cache.ts';
import { deleteSessions } from './sessions.ts';
import type { Store } from './store.ts';

/** An account to be, and the project that comes with it. */
export type NewAccount = {
  /** Trimmed and lower-cased. */
  email: string;
  passwordHash: string;
  donateToken: string;
  overlayToken: string;
  /** 0: no trial. */
  trialDays: number;
};

/**
 * Creates the account and its project. An email that is taken changes nothing; either way one line is written and
 * committed, so that the two take about as long.
 */
export async function registerAccount(store: Store, account: NewAccount): Promise<void> {
  await store.sql.begin(async (tx) => {
    const [created] = await tx<{ id: bigint }[]>`
      insert into accounts (email, password_hash) values (${account.email}, ${account.passwordHash})
      on conflict (email) do nothing
      returning id`;
    if (created) await createProject(tx, created.id, account);
    else await noteRepeatedRegistration(tx, account.email);
  });
}

async function createProject(tx: TransactionSql, accountId: bigint, account: NewAccount): Promise<void> {
  const { donateToken, overlayToken, trialDays } = account;
  const [project] = await tx<{ id: bigint }[]>`
    insert into projects (account_id, donate_token, overlay_token, subscription_active_until)
    values (${accountId}, ${donateToken}, ${overlayToken},
      case when ${trialDays}::int > 0 then now() + make_interval(days => ${trialDays}::int) end)
    returning id`;
  if (!project) throw new Error('an insert without a condition returns its row');
  await writeAudit(tx, { accountId, projectId: project.id, action: 'account.registered', actor: 'session' });
}

async function noteRepeatedRegistration(tx: TransactionSql, email: string): Promise<void> {
  await tx`
    insert into audit_log (account_id, action, detail)
    select id, 'account.registered_again', ${tx.json({ actor: 'unknown' })} from accounts where email = ${email}`;
}

/** What a login is checked against. */
export type LoginAccount = {
  accountId: bigint;
  passwordHash: string;
  /** Someone logged in to it from this origin within 30 days. */
  isKnownOrigin: boolean;
};

/** The account with this email, seen from this origin; null for an unknown email. */
export async function findLoginAccount(
  { sql }: Pick<Store, 'sql'>,
  email: string,
  origin: string,
): Promise<LoginAccount | null> {
  const [row] = await sql<LoginAccount[]>`
    select a.id as "accountId", a.password_hash as "passwordHash",
      coalesce(o.last_login_at > now() - interval '30 days', false) as "isKnownOrigin"
    from accounts a left join login_origins o on o.account_id = a.id and o.origin = ${origin}
    where a.email = ${email}`;
  return row ?? null;
}

/** The password hash of an account. Throws when there is no such account. */
export async function findPasswordHash({ sql }: Pick<Store, 'sql'>, accountId: bigint): Promise<string> {
  const [row] = await sql<{ passwordHash: string }[]>`
    select password_hash as "passwordHash" from accounts where id = ${accountId}`;
  if (!row) throw new Error('a session belongs to an account');
  return row.passwordHash;
}

/**
 * Replaces the password if it is still the one that was checked, and ends every session before it resolves.
 * False when it was changed in the meantime; nothing is changed then.
 */
export async function changePassword(
  store: Store,
  change: { accountId: bigint; currentHash: string; newHash: string },
): Promise<boolean> {
  return replacePassword(store, change.accountId, change.currentHash, change.newHash);
}

/** Sets a password whatever it was, and ends every session before it resolves. For the operator. False: no such account. */
export async function setPassword(store: Store, accountId: bigint, passwordHash: string): Promise<boolean> {
  return replacePassword(store, accountId, null, passwordHash);
}

async function replacePassword(
  store: Store,
  accountId: bigint,
  currentHash: string | null,
  newHash: string,
): Promise<boolean> {
  const ended = await store.sql.begin(async (tx) => {
    const changed = await tx`
      update accounts set password_hash = ${newHash}
      where id = ${accountId} and (${currentHash}::text is null or password_hash = ${currentHash})`;
    if (changed.count === 0) return null;
    const isReset = currentHash === null;
    const actor = isReset ? 'operator' : 'session';
    await writeAudit(tx, { accountId, action: isReset ? 'password.reset' : 'password.changed', actor });
    return deleteSessions(tx, accountId);
  });
  if (ended === null) return false;
  await forgetCredentials(store, ended);
  return true;
}
