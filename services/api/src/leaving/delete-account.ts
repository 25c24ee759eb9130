import { AppError } from '@paywatch/domain/requests';
import type { DeleteAccountBody } from '@paywatch/domain/contract';
import { byRecentFactor, deleteAccount as deleteStored, findOwnPassword } from '@paywatch/store/accounts';
import { limitWrongPasswords } from '../auth/login-limit.ts';
import type { SessionCaller } from '../caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../invalid-field.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { endedCookie } from '../sessions/session-cookie.ts';

/** Deletes the account of the caller. A wrong current password counts like a failed login. */
export function deleteAccount(dependencies: Dependencies): OperationHandler<'deleteAccount'> {
  return async ({ caller, body, context }) => {
    const isDeleted = await limitWrongPasswords(dependencies, caller.accountId, () =>
      remove(dependencies, caller, body, context),
    );
    if (isDeleted === null) throw new AppError('invalid_credentials', 'The current password is wrong.');
    return { status: 200, body: { ok: true }, headers: endedCookie(dependencies, caller) };
  };
}

/** Null if the current password is wrong. */
async function remove(
  { store, passwords }: Dependencies,
  caller: SessionCaller,
  body: DeleteAccountBody,
  { network, address }: RequestContext,
): Promise<true | null> {
  const { accountId } = caller;
  const { passwordHash, email } = await findOwnPassword(store, accountId);
  if (body.email !== email) throw invalidField('body.email', 'is not the email of this account');
  if (!(await passwords.matches(passwordHash, body.current_password, network))) return null;
  return (await deleteStored(store, byRecentFactor(caller, address), { accountId, passwordHash })) || null;
}
