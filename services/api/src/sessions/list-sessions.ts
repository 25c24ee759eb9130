import type { OpenSessionView } from '@paywatch/domain/contract';
import { listSessions as list, type OpenSession } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { deviceName } from './device-name.ts';

/** Lists where the caller's account is logged in. */
export function listSessions({ store, config }: Dependencies): OperationHandler<'listSessions'> {
  return async ({ caller }) => {
    const sessions = await list(store, caller, config.env.SESSION_IDLE_SECONDS);
    return { status: 200, body: { data: sessions.map(sessionView) } };
  };
}

/** An open session as the API shows it. */
export function sessionView(session: OpenSession): OpenSessionView {
  return {
    session_id: session.publicId,
    device: deviceName(session.userAgent),
    ip: session.ip,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    current: session.isCurrent,
  };
}
