import { AppError } from '@paywatch/domain/requests';
import { randomToken, sha256 } from '@paywatch/runtime/security';
import {
  createLoginChallenge,
  createSession,
  findLoginAccount,
  listPasskeys,
  type LoginAccount,
} from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { requestOptions } from '../passkeys/passkey-options.ts';
import { relyingParty } from '../passkeys/relying-party.ts';
import { limitFailedAttempts, loginKey } from './login-limit.ts';
import { newSession, sessionResponse } from './open-session.ts';

/** Opens a session. For an unknown email the same hash is computed as for a wrong password, and the response is the same. */
export function login(dependencies: Dependencies): OperationHandler<'login'> {
  const { store, limiters } = dependencies;
  return async ({ body: { email, password }, context }) => {
    const { network: origin } = context;
    const account = await findLoginAccount(store, email, origin);
    const key = loginKey(email, {
      knownOrigin: account?.isKnownOrigin ? origin : null,
      unlocks: account?.unlocks ?? 0,
    });
    const response = await limitFailedAttempts(limiters, key, () =>
      checkPassword(dependencies, account, password, context),
    );
    if (response === null) throw new AppError('invalid_credentials');
    return response;
  };
}

/**
 * Resolves to the response with the session. Null if the password is wrong or was changed meanwhile. Throws AppError
 * `second_factor_required` with a challenge.
 */
async function checkPassword(
  dependencies: Dependencies,
  account: LoginAccount | null,
  password: string,
  context: RequestContext,
) {
  const { store, passwords } = dependencies;
  const isRight = await passwords.matches(account?.passwordHash ?? null, password, context.network);
  if (account === null || !isRight) return null;
  const { accountId, passwordHash } = account;
  if (account.hasSecondFactor) return openChallenge(dependencies, { accountId, passwordHash });
  const { token, terms } = newSession(context);
  const session = await createSession(store, { accountId, passwordHash, ...terms });
  return session && sessionResponse(dependencies, context, token, session.expiresAt);
}

/** Throws AppError `second_factor_required`. Null if the password was changed meanwhile. */
async function openChallenge(
  dependencies: Dependencies,
  account: Pick<LoginAccount, 'accountId' | 'passwordHash'>,
): Promise<null> {
  const challenge = randomToken(32);
  const opened = await createLoginChallenge(dependencies.store, { ...account, tokenHash: sha256(challenge) });
  if (opened === null) return null;
  const passkey = await passkeyOptions(dependencies, account.accountId, challenge);
  const loginChallenge = { challenge, expires_at: opened.expiresAt.toISOString(), passkey };
  throw new AppError('second_factor_required', undefined, { loginChallenge });
}

/** Options to solve the challenge with a passkey; null if the account has none. */
async function passkeyOptions({ store, config }: Dependencies, accountId: bigint, challenge: string) {
  const party = relyingParty(config.env.PUBLIC_URL);
  const passkeys = party === null ? [] : await listPasskeys(store, accountId);
  return party === null || passkeys.length === 0 ? null : requestOptions(party, challenge, passkeys);
}
