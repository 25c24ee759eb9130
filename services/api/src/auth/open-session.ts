import { randomToken, sha256 } from '@paywatch/runtime/security';
import { endSession } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import { sessionCookie, tokenOfCookie } from '../sessions/session-cookie.ts';
import { SESSION_SECONDS } from '../sessions/session-token.ts';

/** A new session's token and what is stored for it. */
export function newSession({ network: origin, address: ip, userAgent }: RequestContext) {
  const token = `ses_${randomToken(32)}`;
  const terms = { tokenHash: sha256(token), origin, ip, userAgent, lifetimeSeconds: SESSION_SECONDS };
  return { token, terms };
}

/**
 * The response to a login. The pages of the account area get a cookie, too; they do not keep the token. The session whose cookie this one
 * replaces ends, because nobody could end it any more.
 */
export async function sessionResponse(
  dependencies: Pick<Dependencies, 'sealer' | 'config' | 'store'>,
  { isPage, pageCookies }: RequestContext,
  token: string,
  expiresAt: Date,
) {
  await endReplacedSession(dependencies, pageCookies);
  const headers = isPage ? { 'Set-Cookie': sessionCookie(dependencies, token) } : {};
  const body = { session_token: token, expires_at: expiresAt.toISOString() };
  return { status: 200, body, headers } as const;
}

async function endReplacedSession(
  dependencies: Pick<Dependencies, 'sealer' | 'config' | 'store'>,
  pageCookies: string | null,
): Promise<void> {
  const replaced = tokenOfCookie(dependencies, pageCookies ?? undefined);
  if (replaced !== null) await endSession(dependencies.store, sha256(replaced).toString('hex'));
}
