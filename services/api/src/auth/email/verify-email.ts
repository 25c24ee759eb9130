import { AppError } from '@paywatch/domain/requests';
import { sha256 } from '@paywatch/runtime/security';
import { findLinkAccount, verifyEmailByLink, type LinkAccount } from '@paywatch/store/accounts';
import type { Dependencies } from '../../dependencies.ts';
import type { OperationHandler } from '../../operation-handler.ts';
import { limitWrongPasswords } from '../login-limit.ts';

/** Verifies the address by a link and the password. A wrong password counts like a failed login and does not use the link up. */
export function verifyEmail(dependencies: Dependencies): OperationHandler<'verifyEmail'> {
  const { store } = dependencies;
  return async ({ body, context }) => {
    const tokenHash = sha256(body.token);
    const account = await findLinkAccount(store, tokenHash, 'verify');
    if (account === null) throw new AppError('link_expired');
    const isRight = await limitWrongPasswords(dependencies, account.accountId, () =>
      checkPassword(dependencies, account, body.password, context.network),
    );
    if (isRight === null) throw new AppError('invalid_credentials', 'The password is wrong.');
    if (!(await verifyEmailByLink(store, { tokenHash, ip: context.address }, account.passwordHash)))
      throw new AppError('link_expired');
    return { status: 200, body: { ok: true } };
  };
}

async function checkPassword(
  { passwords }: Dependencies,
  { passwordHash }: LinkAccount,
  password: string,
  network: string,
): Promise<true | null> {
  return (await passwords.matches(passwordHash, password, network)) || null;
}
