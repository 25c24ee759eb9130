import { endSession } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Ends the caller's session. */
export function logout({ store }: Dependencies): OperationHandler<'logout'> {
  return async ({ caller }) => {
    await endSession(store, caller.tokenHash);
    return { status: 200, body: { ok: true } };
  };
}
