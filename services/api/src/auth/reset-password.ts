import { AppError } from '@paywatch/domain/requests';
import { sha256 } from '@paywatch/runtime/security';
import { findLinkAccount, resetPasswordByLink } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { assertStrongPassword } from './strong-password.ts';

/** Sets a new password by a link. A password that is refused does not use the link up. */
export function resetPassword({ store, passwords }: Dependencies): OperationHandler<'resetPassword'> {
  return async ({ body, context }) => {
    const tokenHash = sha256(body.token);
    const account = await findLinkAccount(store, tokenHash, 'reset');
    if (account === null) throw new AppError('link_expired');
    assertStrongPassword('new_password', body.new_password, account.email);
    const passwordHash = await passwords.hash(body.new_password, context.network);
    if (!(await resetPasswordByLink(store, { tokenHash, ip: context.address }, passwordHash)))
      throw new AppError('link_expired');
    return { status: 200, body: { ok: true } };
  };
}
