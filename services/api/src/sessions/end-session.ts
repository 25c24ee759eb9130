import { AppError } from '@paywatch/domain/requests';
import { byRecentProof, endOneSession } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Ends one session of the caller's account. */
export function endSession({ store }: Dependencies): OperationHandler<'endSession'> {
  return async ({ caller, params, context }) => {
    const authorize = byRecentProof(caller, context.address);
    if (!(await endOneSession(store, authorize, caller, params.sessionId)))
      throw new AppError('session_not_found');
    return { status: 200, body: { ok: true } };
  };
}
