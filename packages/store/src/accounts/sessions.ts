import type { Fragment } from 'postgres';
import { queueNotice } from '../mails/queue-notice.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { forgetCredentials, type CheckedCredential } from '../redis/credential-cache.ts';
import type { Store } from '../store.ts';
import { hasSecondFactor } from './second-factors/factors.ts';

/** Where a session is used: the address and the User-Agent of the client, null if unknown. */
export type SessionClient = { ip: string | null; userAgent: string | null };

/** What a new session has. */
export type SessionTerms = SessionClient & {
  /** SHA-256 of the token. */
  tokenHash: Uint8Array;
  /** The network that the login came from. */
  origin: string;
  lifetimeSeconds: number;
};

/** A login to record after its password was verified. */
export type NewSession = SessionTerms & {
  accountId: bigint;
  /** The hash that the password was verified against. */
  passwordHash: string;
};

/** A session that was opened, and whether the account had logged in before, but never from this network. */
type OpenedSession = { expiresAt: Date; isNewDevice: boolean };

/**
 * Opens a session and remembers its origin. Null if the account has a second factor, or if the password was changed meanwhile: the
 * lock on the account orders each session before a password change, which ends it, or after it, when the old hash no longer matches.
 */
export async function createSession(store: Store, session: NewSession): Promise<{ expiresAt: Date } | null> {
  const { accountId, passwordHash } = session;
  const account = store.sql`
    select id, null::timestamptz as proved_at from accounts
    where id = ${accountId} and password_hash = ${passwordHash} and not ${hasSecondFactor(store.sql, store.sql`accounts.id`)}
    for share`;
  const opened = await insertSession(store.sql, account, session);
  if (opened === null) return null;
  // Queue the notice before the token is returned, so that no session on a new device starts without one.
  if (opened.isNewDevice)
    await inTransaction(store, (tx) => queueDeviceNotice(tx, accountId, session.origin));
  return { expiresAt: opened.expiresAt };
}

/** Opens a session whose second factor was just given, in the transaction that used it up and locked the account. */
export async function createProvedSession(
  tx: TransactionSql,
  accountId: bigint,
  session: SessionTerms,
): Promise<{ expiresAt: Date }> {
  const account = tx`select ${accountId}::bigint as id, now() as proved_at`;
  const opened = await insertSession(tx, account, session);
  if (opened === null) throw new Error(`session of account ${accountId} was not inserted`);
  if (opened.isNewDevice) await queueDeviceNotice(tx, accountId, session.origin);
  return { expiresAt: opened.expiresAt };
}

async function insertSession(
  sql: AnySql,
  account: Fragment,
  { tokenHash, origin, lifetimeSeconds, ip, userAgent }: SessionTerms,
): Promise<OpenedSession | null> {
  const [row] = await sql<OpenedSession[]>`
    with account as materialized (${account}), seen as (
      insert into login_origins (account_id, origin) select id, ${origin} from account
      on conflict (account_id, origin) do update set last_login_at = now()
      returning xmax = 0 as is_new
    )
    insert into sessions (token_hash, account_id, expires_at, last_used_at, reauthenticated_at, ip, user_agent)
    select ${tokenHash}, id, date_trunc('milliseconds', now() + make_interval(secs => ${lifetimeSeconds})), now(), proved_at,
      ${ip}::text::inet, ${userAgent}::text
    from account
    returning expires_at as "expiresAt", (select is_new from seen)
      and exists (select from login_origins o where o.account_id = sessions.account_id) as "isNewDevice"`;
  return row ?? null;
}

async function queueDeviceNotice(tx: TransactionSql, accountId: bigint, network: string): Promise<void> {
  await queueNotice(tx, { accountId }, { kind: 'new_device', data: { network } });
}

/**
 * When a session ends if it is not used again: at the end of its lifetime or `idleSeconds` after its last use, whichever comes
 * first.
 */
export function endOfSession(sql: AnySql, idleSeconds: number): Fragment {
  return sql`least(s.expires_at, coalesce(s.last_used_at, s.created_at) + make_interval(secs => ${idleSeconds}))`;
}

/**
 * The session with this token hash (hex), with the first project of its account; null if it has ended, expired or never existed, or was not used for `idleSeconds`.
 */
export async function findSession(
  { sql }: Pick<Store, 'sql'>,
  tokenHash: string,
  idleSeconds: number,
): Promise<CheckedCredential | null> {
  const end = endOfSession(sql, idleSeconds);
  const [row] = await sql<{ accountId: bigint; projectId: bigint; validForMs: number }[]>`
    select s.account_id as "accountId", p.id as "projectId",
      (extract(epoch from ${end} - now()) * 1000)::float8 as "validForMs"
    from sessions s join projects p on p.account_id = s.account_id
    where s.token_hash = decode(${tokenHash}, 'hex') and ${end} > now()
    order by p.id limit 1`;
  if (!row) return null;
  const { accountId, projectId, validForMs } = row;
  return { credential: { kind: 'session', accountId, projectId, role: 'owner', tokenHash }, validForMs };
}

/** Updates when and where a session was last used, at most once a minute. */
export async function touchSession(
  { sql }: Pick<Store, 'sql'>,
  tokenHash: string,
  { ip, userAgent }: SessionClient,
): Promise<void> {
  await sql`
    update sessions set last_used_at = now(), ip = ${ip}::text::inet, user_agent = ${userAgent}::text
    where token_hash = decode(${tokenHash}, 'hex')
      and (last_used_at is null or last_used_at < now() - interval '1 minute')`;
}

/** Ends one session by its token hash (hex). Once this resolves, no replica accepts it any more. Safe to repeat. */
export async function endSession(store: Store, tokenHash: string): Promise<void> {
  await store.sql`delete from sessions where token_hash = decode(${tokenHash}, 'hex')`;
  await forgetCredentials(store, { sessions: [tokenHash] });
}

/**
 * Ends every session of the account that owns the session with this token hash (hex). Once this resolves, no replica accepts
 * any of them. False if that session has already ended.
 */
export async function endAllSessions(store: Store, tokenHash: string): Promise<boolean> {
  const rows = await store.sql<{ tokenHash: Buffer }[]>`
    delete from sessions where account_id = (
      select account_id from sessions where token_hash = decode(${tokenHash}, 'hex') and expires_at > now())
    returning token_hash as "tokenHash"`;
  await forgetCredentials(store, { sessions: rows.map((row) => row.tokenHash.toString('hex')) });
  return rows.length > 0;
}

/** Deletes the sessions and unfinished logins of an account and returns the hashes (hex) to forget after the commit. */
export async function deleteSessions(sql: AnySql, accountId: bigint): Promise<string[]> {
  await sql`delete from login_challenges where account_id = ${accountId}`;
  const rows = await sql<{ tokenHash: Buffer }[]>`
    delete from sessions where account_id = ${accountId} returning token_hash as "tokenHash"`;
  return rows.map((row) => row.tokenHash.toString('hex'));
}
