import { byCredential, requestVerification } from '@paywatch/store/accounts';
import type { Dependencies } from '../../dependencies.ts';
import type { OperationHandler } from '../../operation-handler.ts';
import { assertMailEnabled } from './mail-enabled.ts';

/** Queues another link to verify the caller's address. */
export function resendVerification({ store, config }: Dependencies): OperationHandler<'resendVerification'> {
  return async ({ caller, context }) => {
    assertMailEnabled(config);
    await requestVerification(store, byCredential(caller, context.address), caller.accountId);
    return { status: 200, body: { ok: true } };
  };
}
