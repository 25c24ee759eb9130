import { byRecentProof, endOtherSessions } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Ends every session of the caller's account except the caller's own. */
export function logoutOthers({ store }: Dependencies): OperationHandler<'logoutOthers'> {
  return async ({ caller, context }) => {
    const ended = await endOtherSessions(store, byRecentProof(caller, context.address), caller);
    return { status: 200, body: { ended } };
  };
}
