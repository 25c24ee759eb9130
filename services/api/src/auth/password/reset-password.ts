import { AppError } from '@paywatch/domain/requests';
import { sha256 } from '@paywatch/runtime/security';
import { findLinkAccount, resetPasswordByLink } from '@paywatch/store/accounts';
import type { Dependencies } from '../../dependencies.ts';
import type { OperationHandler } from '../../operation-handler.ts';
import { endedCookie } from '../../sessions/session-cookie.ts';
import { assertStrongPassword } from './strong-password.ts';

/**
 * Sets a new password by a link. A password that is refused does not use the link up. The page shows the login next, so its cookie goes,
 * also that of another account.
 */
export function resetPassword(dependencies: Dependencies): OperationHandler<'resetPassword'> {
  const { store, passwords } = dependencies;
  return async ({ body, context }) => {
    const tokenHash = sha256(body.token);
    const account = await findLinkAccount(store, tokenHash, 'reset');
    if (account === null) throw new AppError('link_expired');
    assertStrongPassword('new_password', body.new_password, account.email);
    const passwordHash = await passwords.hash(body.new_password, context.network);
    if (!(await resetPasswordByLink(store, { tokenHash, ip: context.address }, passwordHash)))
      throw new AppError('link_expired');
    return { status: 200, body: { ok: true }, headers: endedCookie(dependencies, context) };
  };
}
