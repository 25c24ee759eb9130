import { AppError } from '@paywatch/domain/requests';
import type { LoginBody } from '@paywatch/domain/contract';
import { randomToken, sha256 } from '@paywatch/runtime/security';
import { createSession, findLoginAccount, type LoginAccount } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import { assertAllowed } from '../limiters.ts';

const SESSION_SECONDS = 7 * 24 * 3600;

/**
 * Opens a session. An unknown email costs the same hash as a wrong password and is answered the same.
 * Throws AppError `invalid_credentials`, `rate_limited` after too many failures, or `service_unavailable`.
 */
export async function login(
  dependencies: Dependencies,
  body: LoginBody,
  origin: string,
): Promise<NewSession> {
  const { store, limiters } = dependencies;
  const account = await findLoginAccount(store, body.email, origin);
  const failures = failureKey(body.email, account?.isKnownOrigin ? origin : null);
  // Counted before the password is looked at: of many tries at once no more than the limit get that far.
  const counted = await limiters.login_email.count(failures);
  assertAllowed(counted);
  let session: NewSession | null;
  try {
    session = await openSession(dependencies, account, body.password, origin);
  } catch (error) {
    await limiters.login_email.giveBack(failures, counted); // Nothing was learned about the password.
    throw error;
  }
  if (session === null) throw new AppError('invalid_credentials');
  await limiters.login_email.giveBack(failures, counted);
  return session;
}

type NewSession = { token: string; expiresAt: Date };

async function openSession(
  { store, passwords }: Dependencies,
  account: LoginAccount | null,
  password: string,
  origin: string,
): Promise<NewSession | null> {
  const isRight = await passwords.matches(account?.passwordHash ?? null, password, origin);
  if (account === null || !isRight) return null;
  const { accountId, passwordHash } = account;
  const token = `ses_${randomToken(32)}`;
  const tokenHash = sha256(token);
  const lifetimeSeconds = SESSION_SECONDS;
  const session = await createSession(store, { accountId, passwordHash, tokenHash, origin, lifetimeSeconds });
  return session && { token, ...session };
}

/**
 * What failed tries are counted under. An origin that the owner logged in from has a count of its own, so that a
 * stranger who uses up the common one does not lock the owner out. The email itself is not kept in Redis.
 */
function failureKey(email: string, knownOrigin: string | null): string {
  return sha256(JSON.stringify([email, knownOrigin])).toString('base64url');
}
