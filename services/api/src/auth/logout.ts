import { endSession } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { endedCookie } from '../sessions/session-cookie.ts';

/** Ends the caller's session. */
export function logout(dependencies: Dependencies): OperationHandler<'logout'> {
  return async ({ caller }) => {
    await endSession(dependencies.store, caller.tokenHash);
    return { status: 200, body: { ok: true }, headers: endedCookie(dependencies, caller) };
  };
}
