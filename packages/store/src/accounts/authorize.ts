import { AppError } from '@paywatch/domain/requests';
import type { Actor } from './audit.ts';
import type { TransactionSql } from '../postgres/database.ts';
import { lockMembership } from '../members/memberships.ts';
import type { Credential } from '../redis/credential-cache.ts';
import { hasSecondFactor } from './second-factors/factors.ts';

/**
 * Runs first in the transaction of every change to an account, key, wallet, endpoint, token or invoice. Resolves to who makes the
 * change, for the audit log. Throws AppError `unauthorized` if the caller is not allowed to make it (any more).
 */
export type Authorize = (tx: TransactionSql) => Promise<Actor>;

/** For the operator's CLI, the product itself and tests: the database password is the credential. */
export const byOperator: Authorize = async () => 'operator';

/**
 * Checks the credential in Postgres itself, so that a forged or outdated cache entry changes nothing. The row stays locked
 * until the transaction ends, so a revocation happens before the change or waits for it. The same holds for the membership of a
 * session in its project. `ip`: the address of the client.
 */
export function byCredential(credential: Credential, ip: string | null): Authorize {
  return async (tx) => {
    const [held] =
      credential.kind === 'api_key' ? await lockKey(tx, credential) : await lockSession(tx, credential);
    if (held === undefined) throw new AppError('unauthorized');
    if (credential.kind === 'session') await lockMembership(tx, credential.accountId, credential);
    return actorOf(credential, ip);
  };
}

/**
 * As `byCredential`, for changes that a thief would make. If the account of a session has a second factor, it must have been given
 * within the last ten minutes: throws AppError `reauthentication_required` otherwise. If it has none, a session of the pages needs the
 * password, given within the same time: throws AppError `password_required` otherwise. API keys need their scope only.
 */
export function byRecentProof(credential: Credential, ip: string | null): Authorize {
  return byProof(credential, ip, credential.kind === 'session' && credential.isPage === true);
}

/** As `byRecentProof`, for changes that require the password themselves. */
export function byRecentFactor(credential: Credential, ip: string | null): Authorize {
  return byProof(credential, ip, false);
}

function byProof(credential: Credential, ip: string | null, needsPassword: boolean): Authorize {
  const authorize = byCredential(credential, ip);
  return async (tx) => {
    const actor = await authorize(tx);
    const missing =
      credential.kind === 'session' ? missingProof(await readProofs(tx, credential), needsPassword) : null;
    if (missing !== null) throw new AppError(missing);
    return actor;
  };
}

/** How long a second factor or a password that was given allows changes. */
const PROOF_MINUTES = 10;

/** Whether an account has a second factor, and what was given in a session within the last ten minutes. */
type Proofs = { isProtected: boolean; hasFactor: boolean; hasPassword: boolean };

/** The code of what has to be given before a change; null if nothing. Pure. */
function missingProof(
  { isProtected, hasFactor, hasPassword }: Proofs,
  needsPassword: boolean,
): 'reauthentication_required' | 'password_required' | null {
  if (isProtected) return hasFactor ? null : 'reauthentication_required';
  return needsPassword && !hasPassword ? 'password_required' : null;
}

async function readProofs(tx: TransactionSql, { tokenHash }: SessionCredential): Promise<Proofs> {
  const since = tx`now() - make_interval(mins => ${PROOF_MINUTES})`;
  const [proofs] = await tx<Proofs[]>`
    select ${hasSecondFactor(tx, tx`s.account_id`)} as "isProtected",
      coalesce(reauthenticated_at > ${since}, false) as "hasFactor",
      coalesce(password_at, created_at) > ${since} as "hasPassword"
    from sessions s where token_hash = decode(${tokenHash}, 'hex')`;
  if (!proofs) throw new AppError('unauthorized');
  return proofs;
}

/**
 * Notes that the owner of a session just gave the password; call it in the transaction that checked it. Returns until when changes are
 * allowed.
 */
export async function notePassword(tx: TransactionSql, { tokenHash }: SessionCredential): Promise<Date> {
  const [session] = await tx<{ validUntil: Date }[]>`
    update sessions set password_at = now() where token_hash = decode(${tokenHash}, 'hex')
    returning date_trunc('milliseconds', now() + make_interval(mins => ${PROOF_MINUTES})) as "validUntil"`;
  if (!session) throw new AppError('unauthorized');
  return session.validUntil;
}

/**
 * Notes that the owner of a session just gave a second factor; call it in the transaction that used the factor up. Returns until
 * when changes are allowed.
 */
export async function noteReauthentication(
  tx: TransactionSql,
  { tokenHash }: SessionCredential,
): Promise<Date> {
  const [session] = await tx<{ validUntil: Date }[]>`
    update sessions set reauthenticated_at = now() where token_hash = decode(${tokenHash}, 'hex')
    returning date_trunc('milliseconds', now() + make_interval(mins => ${PROOF_MINUTES})) as "validUntil"`;
  if (!session) throw new AppError('unauthorized');
  return session.validUntil;
}

function actorOf(credential: Credential, ip: string | null): Actor {
  return credential.kind === 'session'
    ? { name: 'session', accountId: credential.accountId, ip }
    : { name: credential.keyPublic, accountId: null, ip };
}

type ApiKeyCredential = Extract<Credential, { kind: 'api_key' }>;
export type SessionCredential = Extract<Credential, { kind: 'session' }>;

function lockKey(tx: TransactionSql, credential: ApiKeyCredential) {
  const { apiKeyId, projectId, keyPublic, scope, scopes, allowedAddresses } = credential;
  return tx<object[]>`
    select id from api_keys
    where id = ${apiKeyId} and project_id = ${projectId} and key_public = ${keyPublic} and scope = ${scope}
      and scopes is not distinct from ${scope === 'custom' ? tx.array([...scopes]) : null}::text[]
      and allowed_addresses is not distinct from ${allowedAddresses && tx.array([...allowedAddresses])}::text[]
      and revoked_at is null and (expires_at is null or expires_at > now())
    for share`;
}

function lockSession(tx: TransactionSql, { tokenHash, accountId }: SessionCredential) {
  return tx<object[]>`
    select s.account_id from sessions s
    where s.token_hash = decode(${tokenHash}, 'hex') and s.account_id = ${accountId} and s.expires_at > now()
    for share`;
}
