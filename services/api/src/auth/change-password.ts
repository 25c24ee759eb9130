import { AppError } from '@paywatch/domain/requests';
import type { ChangePasswordBody } from '@paywatch/domain/contract';
import { byCredential, changePassword, findOwnPassword } from '@paywatch/store/accounts';
import type { SessionCaller } from '../caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { assertAllowed } from '../limiters.ts';
import { assertStrong } from './assert-strong.ts';

/**
 * Replaces the password and ends every session of the account. Whoever holds a stolen session gets as many guesses at
 * the password as at a login. Throws AppError `invalid_credentials`, `validation_error` for a weak new one, `rate_limited` or
 * `service_unavailable`.
 */
export async function changeOwnPassword(
  { store, passwords, limiters }: Dependencies,
  caller: SessionCaller,
  body: ChangePasswordBody,
  network: string,
): Promise<void> {
  const { accountId } = caller;
  const failures = `account:${accountId}`;
  const counted = await limiters.login_email.count(failures);
  assertAllowed(counted);
  const { passwordHash: currentHash, email } = await findOwnPassword(store, accountId);
  if (!(await passwords.matches(currentHash, body.current_password, network))) throw wrongPassword();
  assertStrong('new_password', body.new_password, email);
  const newHash = await passwords.hash(body.new_password, network);
  if (!(await changePassword(store, byCredential(caller), { accountId, currentHash, newHash })))
    throw wrongPassword();
  await limiters.login_email.giveBack(failures, counted);
}

function wrongPassword(): AppError {
  return new AppError('invalid_credentials', 'The current password is wrong.');
}
