import { randomToken, sha256 } from '@paywatch/runtime/security';
import type { RequestContext } from '../middleware/request-context.ts';

const SESSION_SECONDS = 7 * 24 * 3600;

/** A new session's token and what is stored for it. */
export function newSession({ network: origin, address: ip, userAgent }: RequestContext) {
  const token = `ses_${randomToken(32)}`;
  const terms = { tokenHash: sha256(token), origin, ip, userAgent, lifetimeSeconds: SESSION_SECONDS };
  return { token, terms };
}

/** The response to a login. */
export function sessionResponse(token: string, expiresAt: Date) {
  return { status: 200, body: { session_token: token, expires_at: expiresAt.toISOString() } } as const;
}
