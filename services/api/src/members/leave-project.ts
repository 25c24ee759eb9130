import { byCredential } from '@paywatch/store/accounts';
import { leaveProject as leave } from '@paywatch/store/members';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Ends the caller's own membership in the project. */
export function leaveProject({ store }: Dependencies): OperationHandler<'leaveProject'> {
  return async ({ caller, context }) => {
    await leave(store, byCredential(caller, context.address), caller);
    return { status: 200, body: { ok: true } };
  };
}
