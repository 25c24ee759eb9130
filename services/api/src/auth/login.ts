import { AppError } from '@paywatch/domain/requests';
import { randomToken, sha256 } from '@paywatch/runtime/security';
import { createSession, findLoginAccount, type LoginAccount } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { limitFailedAttempts, loginKey } from './login-limit.ts';

const SESSION_SECONDS = 7 * 24 * 3600;

/** Opens a session. For an unknown email the same hash is computed as for a wrong password, and the answer is the same. */
export function login(dependencies: Dependencies): OperationHandler<'login'> {
  const { store, limiters } = dependencies;
  return async ({ body: { email, password }, context: { network: origin } }) => {
    const account = await findLoginAccount(store, email, origin);
    const key = loginKey(email, account?.isKnownOrigin ? origin : null);
    const session = await limitFailedAttempts(limiters, key, () =>
      openSession(dependencies, account, password, origin),
    );
    if (session === null) throw new AppError('invalid_credentials');
    const { token, expiresAt } = session;
    return { status: 200, body: { session_token: token, expires_at: expiresAt.toISOString() } };
  };
}

/** Null if the password is wrong or was changed meanwhile. */
async function openSession(
  { store, passwords }: Dependencies,
  account: LoginAccount | null,
  password: string,
  origin: string,
): Promise<{ token: string; expiresAt: Date } | null> {
  const isRight = await passwords.matches(account?.passwordHash ?? null, password, origin);
  if (account === null || !isRight) return null;
  const { accountId, passwordHash } = account;
  const token = `ses_${randomToken(32)}`;
  const tokenHash = sha256(token);
  const lifetimeSeconds = SESSION_SECONDS;
  const session = await createSession(store, { accountId, passwordHash, tokenHash, origin, lifetimeSeconds });
  return session && { token, ...session };
}
