import { inTransaction } from '../../postgres/database.ts';
import type { Store } from '../../store.ts';
import { lockAccount } from '../lock-account.ts';
import { createProvedSession, type SessionTerms } from '../sessions.ts';
import { noteRecoveryCode } from './change-factors.ts';
import { useSecondFactor, type FactorProof } from './factors.ts';

/** How long a login waits for its second factor. */
const CHALLENGE_SECONDS = 5 * 60;
/** The number of codes and passkeys that can be tried in one login. */
const MAX_ATTEMPTS = 5;
/** Unfinished logins of an account; the oldest goes for a new one. */
const MAX_CHALLENGES = 20;

/** A login whose password was right. */
export type NewChallenge = {
  accountId: bigint;
  /** The hash that the password was verified against. */
  passwordHash: string;
  /** SHA-256 of the challenge. */
  tokenHash: Uint8Array;
};

/**
 * Notes that the password was right; the login waits for a second factor. Null if the password was changed meanwhile, which ends all
 * unfinished logins.
 */
export async function createLoginChallenge(
  store: Pick<Store, 'sql'>,
  { accountId, passwordHash, tokenHash }: NewChallenge,
): Promise<{ expiresAt: Date } | null> {
  return inTransaction(store, async (tx) => {
    const account = await lockAccount(tx, accountId);
    if (account.passwordHash !== passwordHash) return null;
    await tx`
      delete from login_challenges where token_hash in (
        select token_hash from login_challenges where account_id = ${accountId}
        order by expires_at desc offset ${MAX_CHALLENGES - 1})`;
    const [challenge] = await tx<{ expiresAt: Date }[]>`
      insert into login_challenges (token_hash, account_id, expires_at)
      values (${tokenHash}, ${accountId}, date_trunc('milliseconds', now() + make_interval(secs => ${CHALLENGE_SECONDS})))
      returning expires_at as "expiresAt"`;
    return challenge ?? null;
  });
}

/**
 * Counts an attempt to finish a login, before its code is checked. Resolves to the account; null if the challenge is unknown, expired
 * or used, or if too many codes were tried.
 */
export async function countChallengeAttempt(
  { sql }: Pick<Store, 'sql'>,
  tokenHash: Uint8Array,
): Promise<bigint | null> {
  const [challenge] = await sql<{ accountId: bigint }[]>`
    update login_challenges set attempts = attempts + 1
    where token_hash = ${tokenHash} and expires_at > now() and attempts < ${MAX_ATTEMPTS}
    returning account_id as "accountId"`;
  return challenge?.accountId ?? null;
}

/** A login to finish. `challengeHash`: the SHA-256 of the challenge. */
export type FinishedLogin = SessionTerms & {
  accountId: bigint;
  challengeHash: Uint8Array;
  proof: FactorProof;
};

/** Opens a session for a challenge and a second factor, and uses up both. Null if either was used or removed meanwhile. */
export async function finishLogin(
  store: Pick<Store, 'sql'>,
  { accountId, challengeHash, proof, ...session }: FinishedLogin,
): Promise<{ expiresAt: Date } | null> {
  return inTransaction(store, async (tx) => {
    // All uses of the account's challenges and factors happen under this lock.
    await lockAccount(tx, accountId);
    const [waiting] = await tx`
      select from login_challenges where token_hash = ${challengeHash} and account_id = ${accountId}`;
    if (!waiting || !(await useSecondFactor(tx, accountId, proof))) return null;
    await tx`delete from login_challenges where token_hash = ${challengeHash}`;
    const opened = await createProvedSession(tx, accountId, session);
    if (proof.kind === 'recovery_code')
      await noteRecoveryCode(tx, accountId, { name: 'session', accountId, ip: session.ip });
    return opened;
  });
}
