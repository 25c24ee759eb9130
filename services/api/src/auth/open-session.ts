import { randomToken, sha256 } from '@paywatch/runtime/security';

const SESSION_SECONDS = 7 * 24 * 3600;

/** A new session's token and what is stored for it. `origin`: the network that the login came from. */
export function newSession(origin: string) {
  const token = `ses_${randomToken(32)}`;
  return { token, terms: { tokenHash: sha256(token), origin, lifetimeSeconds: SESSION_SECONDS } };
}

/** The response to a login. */
export function sessionResponse(token: string, expiresAt: Date) {
  return { status: 200, body: { session_token: token, expires_at: expiresAt.toISOString() } } as const;
}
