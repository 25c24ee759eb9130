import { AppError } from '@paywatch/domain/requests';
import { byCredential, confirmPassword as confirm, findOwnPassword } from '@paywatch/store/accounts';
import { limitWrongPasswords } from '../auth/login-limit.ts';
import type { SessionCaller } from '../caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Checks the password again, after which the session may make changes for a while. A wrong one counts like a failed login. */
export function confirmPassword(dependencies: Dependencies): OperationHandler<'confirmPassword'> {
  return async ({ caller, body, context }) => {
    const validUntil = await limitWrongPasswords(dependencies, caller.accountId, () =>
      check(dependencies, caller, body.current_password, context),
    );
    if (validUntil === null) throw new AppError('invalid_credentials', 'The current password is wrong.');
    return { status: 200, body: { valid_until: validUntil.toISOString() } };
  };
}

/** Null if the password is wrong. */
async function check(
  { store, passwords }: Dependencies,
  caller: SessionCaller,
  password: string,
  { network, address }: RequestContext,
): Promise<Date | null> {
  const { passwordHash } = await findOwnPassword(store, caller.accountId);
  if (!(await passwords.matches(passwordHash, password, network))) return null;
  return confirm(store, byCredential(caller, address), caller, passwordHash);
}
