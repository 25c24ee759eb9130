import { AppError } from '@paywatch/domain/requests';
import { endAllSessions } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { endedCookie } from '../sessions/session-cookie.ts';

/** Ends every session of the caller's account. */
export function logoutAll(dependencies: Dependencies): OperationHandler<'logoutAll'> {
  return async ({ caller }) => {
    if (!(await endAllSessions(dependencies.store, caller.tokenHash))) throw new AppError('unauthorized');
    return { status: 200, body: { ok: true }, headers: endedCookie(dependencies, caller) };
  };
}
