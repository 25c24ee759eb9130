import { requestPasswordReset } from '@paywatch/store/accounts';
import type { Dependencies } from '../../dependencies.ts';
import type { OperationHandler } from '../../operation-handler.ts';
import { assertMailEnabled } from '../email/mail-enabled.ts';

/** Queues a mail with a link to reset the password. Does not look for the account: the worker does, when it sends. */
export function forgotPassword({ store, config }: Dependencies): OperationHandler<'forgotPassword'> {
  return async ({ body }) => {
    assertMailEnabled(config);
    await requestPasswordReset(store, body.email);
    return { status: 200, body: { ok: true } };
  };
}
