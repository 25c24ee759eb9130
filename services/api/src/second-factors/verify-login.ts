import { AppError } from '@paywatch/domain/requests';
import { sha256 } from '@paywatch/runtime/security';
import { countChallengeAttempt, finishLogin } from '@paywatch/store/accounts';
import { newSession, sessionResponse } from '../auth/open-session.ts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { limitWrongCodes, proofOf, wrongProof } from './check-code.ts';

/** Opens the session of a login that waited for its second factor. */
export function verifyLogin(dependencies: Dependencies): OperationHandler<'verifyLogin'> {
  const { store } = dependencies;
  return async ({ body, context }) => {
    const challengeHash = sha256(body.challenge);
    const accountId = await countChallengeAttempt(store, challengeHash);
    if (accountId === null) throw new AppError('challenge_expired');
    const { token, terms } = newSession(context);
    const session = await limitWrongCodes(dependencies, { accountId, network: context.network }, async () => {
      const proof = await proofOf(dependencies, body, { accountId, challenge: body.challenge });
      return proof && finishLogin(store, { ...terms, accountId, challengeHash, proof });
    });
    if (session === null) throw wrongProof(body);
    return sessionResponse(dependencies, context, token, session.expiresAt);
  };
}
