import { SealingError } from '@paywatch/runtime/security';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { SessionCaller } from '../caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import { SESSION_SECONDS, SESSION_TOKEN } from './session-token.ts';

/** Binds the sealed token to its use: nothing else that is sealed is accepted as a cookie. */
const PLACE = { table: 'sessions', column: 'cookie', row: '' };
/** Base64url, and longer than any cookie of ours. */
const VALUE = /^[\w-]{1,512}$/;

type Sealing = Pick<Dependencies, 'sealer' | 'config'>;

/**
 * The Set-Cookie header for a new session of the account area. The token in it is sealed, so that a thief who copies the cookie cannot send
 * the token as `Authorization: Bearer`, for which fewer rules apply.
 */
export function sessionCookie({ sealer, config }: Sealing, token: string): string {
  const value = sealer.seal(token, PLACE).toString('base64url');
  return setCookie(config.publicUrl, value, SESSION_SECONDS);
}

/** The headers that delete the cookie of a page that is logged out; none for others. */
export function endedCookie(
  { config }: Pick<Dependencies, 'config'>,
  { isPage }: Pick<SessionCaller, 'isPage'> | Pick<RequestContext, 'isPage'>,
): Record<string, string> {
  return isPage === true ? { 'Set-Cookie': setCookie(config.publicUrl, '', 0) } : {};
}

/** Whether the cookies of a request contain one of a session, valid or not. */
export function hasSessionCookie({ publicUrl }: Sealing['config'], cookies = ''): boolean {
  return parseCookie(cookies)[cookieName(publicUrl)] !== undefined;
}

/** The session token in the cookies of a request; null if there is none. */
export function tokenOfCookie({ sealer, config }: Sealing, cookies: string | undefined): string | null {
  const value = cookies === undefined ? undefined : parseCookie(cookies)[cookieName(config.publicUrl)];
  if (value === undefined || !VALUE.test(value)) return null;
  try {
    const token = sealer.open(Buffer.from(value, 'base64url'), PLACE);
    return SESSION_TOKEN.test(token) ? token : null;
  } catch (error) {
    if (error instanceof SealingError) return null;
    throw error;
  }
}

function setCookie(publicUrl: string, value: string, maxAge: number): string {
  const secure = isSecure(publicUrl);
  const name = cookieName(publicUrl);
  return stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'strict', secure });
}

/** Browsers accept a name with this prefix from this very host only, so that no other host of the domain can set the cookie. */
function cookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-paywatch_session' : 'paywatch_session';
}

function isSecure(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}
