import { AppError } from '@paywatch/domain';
import type { ChangePasswordBody } from '@paywatch/domain/contract';
import { changePassword, findPasswordHash } from '@paywatch/store';
import type { Dependencies } from '../dependencies.ts';
import { assertAllowed } from '../limiters.ts';

/**
 * Replaces the password and ends every session of the account. Whoever holds a stolen session gets as many guesses at
 * the password as at a login. Throws AppError `invalid_credentials`, `rate_limited` or `service_unavailable`.
 */
export async function changeOwnPassword(
  { store, passwords, limiters }: Dependencies,
  accountId: bigint,
  body: ChangePasswordBody,
): Promise<void> {
  const failures = `account:${accountId}`;
  const counted = await limiters.login_email.count(failures);
  assertAllowed(counted);
  const currentHash = await findPasswordHash(store, accountId);
  if (!(await passwords.matches(currentHash, body.current_password))) throw wrongPassword();
  const newHash = await passwords.hash(body.new_password);
  if (!(await changePassword(store, { accountId, currentHash, newHash }))) throw wrongPassword();
  await limiters.login_email.giveBack(failures, counted);
}

function wrongPassword(): AppError {
  return new AppError('invalid_credentials', 'The current password is wrong.');
}
