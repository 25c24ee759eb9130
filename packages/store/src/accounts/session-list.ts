import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { forgetCredentials } from '../redis/credential-cache.ts';
import type { Store } from '../store.ts';
import { writeAudit } from './audit.ts';
import { byOperator, type Authorize, type SessionCredential } from './authorize.ts';
import { lockAccount } from './lock-account.ts';
import { endOfSession, type SessionClient } from './sessions.ts';

/** The maximum number of sessions in a list; those that were used last. */
const MAX_LISTED = 100;

/** An open session, and whether it is the caller's own. */
export type OpenSession = SessionClient & {
  publicId: string;
  createdAt: Date;
  /** The login if it was not used since. */
  lastUsedAt: Date;
  isCurrent: boolean;
};

/** Lists the open sessions of the caller's account, the one used last first. */
export async function listSessions(
  { sql }: { sql: AnySql },
  { accountId, tokenHash }: SessionCredential,
  idleSeconds: number,
): Promise<OpenSession[]> {
  return sql<OpenSession[]>`
    select public_id as "publicId", created_at as "createdAt", coalesce(last_used_at, created_at) as "lastUsedAt",
      host(ip) as ip, user_agent as "userAgent", token_hash = decode(${tokenHash}, 'hex') as "isCurrent"
    from sessions s
    where account_id = ${accountId} and ${endOfSession(sql, idleSeconds)} > now()
    order by coalesce(last_used_at, created_at) desc, public_id
    limit ${MAX_LISTED}`;
}

/**
 * Ends one session of the caller's account. Once this resolves, no replica accepts it any more. Returns false if the account has no such
 * session.
 */
export async function endOneSession(
  store: Store,
  authorize: Authorize,
  { accountId }: SessionCredential,
  publicId: string,
): Promise<boolean> {
  const ended = await endSessions(store, authorize, accountId, (tx) => tx`public_id = ${publicId}`);
  return ended > 0;
}

/**
 * Ends all sessions of the caller's account except the caller's own. Once this resolves, no replica accepts them any more. Returns their
 * number. Safe to repeat.
 */
export async function endOtherSessions(
  store: Store,
  authorize: Authorize,
  { accountId, tokenHash }: SessionCredential,
): Promise<number> {
  return endSessions(store, authorize, accountId, (tx) => tx`token_hash <> decode(${tokenHash}, 'hex')`);
}

/**
 * Ends all sessions of an account, before it resolves. For the operator, who gives a reason. Returns their number. Safe to repeat.
 */
export async function endAccountSessions(store: Store, accountId: bigint, reason: string): Promise<number> {
  return endSessions(store, byOperator, accountId, (tx) => tx`true`, { reason });
}

async function endSessions(
  store: Store,
  authorize: Authorize,
  accountId: bigint,
  condition: (tx: TransactionSql) => ReturnType<TransactionSql>,
  given: { reason?: string } = {},
): Promise<number> {
  const hashes = await inTransaction(store, async (tx) => {
    // Two sessions that end each other at once would deadlock without this lock.
    await lockAccount(tx, accountId);
    const actor = await authorize(tx);
    const rows = await tx<{ tokenHash: Buffer }[]>`
      delete from sessions where account_id = ${accountId} and ${condition(tx)} returning token_hash as "tokenHash"`;
    const detail = { ended: rows.length, ...given };
    if (rows.length > 0) await writeAudit(tx, { accountId, action: 'sessions.ended', actor, detail });
    return rows.map((row) => row.tokenHash.toString('hex'));
  });
  await forgetCredentials(store, { sessions: hashes });
  return hashes.length;
}
