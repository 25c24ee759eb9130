import { AppError } from '@paywatch/domain/requests';
import type { ChangeEmailBody } from '@paywatch/domain/contract';
import { byRecentFactor, findOwnPassword, requestEmailChange } from '@paywatch/store/accounts';
import type { SessionCaller } from '../../caller.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { OperationHandler } from '../../operation-handler.ts';
import type { RequestContext } from '../../middleware/request-context.ts';
import { limitWrongPasswords } from '../login-limit.ts';
import { assertMailEnabled } from './mail-enabled.ts';

/** Starts a change of email. A wrong current password counts like a failed login. */
export function changeEmail(dependencies: Dependencies): OperationHandler<'changeEmail'> {
  return async ({ caller, body, context }) => {
    assertMailEnabled(dependencies.config);
    const isStarted = await limitWrongPasswords(dependencies, caller.accountId, () =>
      start(dependencies, caller, body, context),
    );
    if (isStarted === null) throw new AppError('invalid_credentials', 'The current password is wrong.');
    return { status: 200, body: { ok: true } };
  };
}

/** Null if the current password is wrong. */
async function start(
  { store, passwords }: Dependencies,
  caller: SessionCaller,
  body: ChangeEmailBody,
  context: RequestContext,
): Promise<true | null> {
  const { accountId } = caller;
  const { passwordHash } = await findOwnPassword(store, accountId);
  if (!(await passwords.matches(passwordHash, body.current_password, context.network))) return null;
  const change = { accountId, passwordHash, newEmail: body.new_email };
  return (await requestEmailChange(store, byRecentFactor(caller, context.address), change)) || null;
}
