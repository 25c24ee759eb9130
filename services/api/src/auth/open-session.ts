import { randomToken, sha256 } from '@paywatch/runtime/security';
import type { Dependencies } from '../dependencies.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import { SESSION_SECONDS } from '../sessions/session-token.ts';

/** A new session's token and what is stored for it. */
export function newSession({ network: origin, address: ip, userAgent }: RequestContext) {
  const token = `ses_${randomToken(32)}`;
  const terms = { tokenHash: sha256(token), origin, ip, userAgent, lifetimeSeconds: SESSION_SECONDS };
  return { token, terms };
}

/** The response to a login. The pages of the account area get a cookie, too; they do not keep the token. */
export function sessionResponse(
  dependencies: Pick<Dependencies, 'sealer' | 'config'>,
  { isPage }: RequestContext,
  token: string,
  expiresAt: Date,
) {
  const headers = isPage ? { 'Set-Cookie': sessionCookie(dependencies, token) } : {};
  const body = { session_token: token, expires_at: expiresAt.toISOString() };
  return { status: 200, body, headers } as const;
}
