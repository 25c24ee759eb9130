import { AppError } from '@paywatch/domain/requests';
import { sha256 } from '@paywatch/runtime/security';
import { confirmEmailByLink } from '@paywatch/store/accounts';
import type { Dependencies } from '../../dependencies.ts';
import type { OperationHandler } from '../../operation-handler.ts';

/** Confirms a change of email by the link to one of its two addresses. */
export function confirmEmail({ store }: Dependencies): OperationHandler<'confirmEmail'> {
  return async ({ body, context }) => {
    const confirmation = await confirmEmailByLink(store, {
      tokenHash: sha256(body.token),
      ip: context.address,
    });
    if (confirmation === 'link_expired') throw new AppError('link_expired');
    if (confirmation === 'taken') throw new AppError('email_taken');
    return { status: 200, body: { changed: confirmation === 'changed' } };
  };
}
