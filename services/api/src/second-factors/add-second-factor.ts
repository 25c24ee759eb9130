import type { AddFactorBody } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import {
  addSecondFactor as add,
  byRecentFactor,
  factorSecretPlace,
  findOwnPassword,
} from '@paywatch/store/accounts';
import { randomUuid } from '@paywatch/runtime/security';
import { limitWrongPasswords } from '../auth/login-limit.ts';
import type { SessionCaller } from '../caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { newFactorSecret, otpauthUrl } from './authenticator.ts';

/** Adds an authenticator app that waits to be confirmed. A wrong current password counts like a failed login. */
export function addSecondFactor(dependencies: Dependencies): OperationHandler<'addSecondFactor'> {
  return async ({ caller, body, context }) => {
    const added = await limitWrongPasswords(dependencies, caller.accountId, () =>
      addNew(dependencies, caller, body, context),
    );
    if (added === null) throw new AppError('invalid_credentials', 'The current password is wrong.');
    return { status: 201, body: added };
  };
}

/** Null if the current password is wrong. */
async function addNew(
  { store, passwords, sealer, config }: Dependencies,
  caller: SessionCaller,
  { name, current_password: password }: AddFactorBody,
  { network, address }: RequestContext,
) {
  const { accountId } = caller;
  const { passwordHash, email } = await findOwnPassword(store, accountId);
  if (!(await passwords.matches(passwordHash, password, network))) return null;
  const publicId = randomUuid();
  const secret = newFactorSecret();
  const secretSealed = sealer.seal(secret, factorSecretPlace(publicId));
  const factor = { accountId, passwordHash, publicId, name, secretSealed };
  if (!(await add(store, byRecentFactor(caller, address), factor))) return null;
  const { host } = new URL(config.env.PUBLIC_URL);
  return { factor_id: publicId, secret, otpauth_url: otpauthUrl(secret, { email, host }) };
}
