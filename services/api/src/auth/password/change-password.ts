import { AppError } from '@paywatch/domain/requests';
import type { ChangePasswordBody } from '@paywatch/domain/contract';
import { byRecentFactor, changePassword as storePassword, findOwnPassword } from '@paywatch/store/accounts';
import type { SessionCaller } from '../../caller.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { RequestContext } from '../../middleware/request-context.ts';
import type { OperationHandler } from '../../operation-handler.ts';
import { endedCookie } from '../../sessions/session-cookie.ts';
import { limitWrongPasswords } from '../login-limit.ts';
import { assertStrongPassword } from './strong-password.ts';

/** Replaces the password and ends every session of the account. A wrong current password counts like a failed login. */
export function changePassword(dependencies: Dependencies): OperationHandler<'changePassword'> {
  return async ({ caller, body, context }) => {
    const isChanged = await limitWrongPasswords(dependencies, caller.accountId, () =>
      change(dependencies, caller, body, context),
    );
    if (isChanged === null) throw new AppError('invalid_credentials', 'The current password is wrong.');
    return { status: 200, body: { ok: true }, headers: endedCookie(dependencies, caller) };
  };
}

/** Null if the current password is wrong. */
async function change(
  { store, passwords }: Dependencies,
  caller: SessionCaller,
  body: ChangePasswordBody,
  { network, address }: RequestContext,
): Promise<true | null> {
  const { accountId } = caller;
  const { passwordHash: currentHash, email } = await findOwnPassword(store, accountId);
  if (!(await passwords.matches(currentHash, body.current_password, network))) return null;
  assertStrongPassword('new_password', body.new_password, email);
  const newHash = await passwords.hash(body.new_password, network);
  const isStored = await storePassword(store, byRecentFactor(caller, address), {
    accountId,
    currentHash,
    newHash,
  });
  return isStored ? true : null;
}
