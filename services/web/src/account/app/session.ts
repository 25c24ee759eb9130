/** A session of the account area. */
export type Session = { readonly token: string; readonly expiresAtMs: number };

const KEY = 'paywatch.session';

/**
 * Reads the session token from the sessionStorage of this tab; null if it has expired. The token survives a reload and
 * is deleted with the tab. It is not a cookie, so no other site can make the browser send it. An injected script could
 * read it, which the strict Content-Security-Policy prevents.
 */
export function readSession(storage: Storage, nowMs: number): Session | null {
  const [token, expiresAt] = (storage.getItem(KEY) ?? '').split(' ');
  const expiresAtMs = Number(expiresAt);
  return token !== undefined && token !== '' && expiresAtMs > nowMs ? { token, expiresAtMs } : null;
}

/** Stores the session; null deletes it. */
export function writeSession(storage: Storage, session: Session | null): void {
  if (session === null) storage.removeItem(KEY);
  else storage.setItem(KEY, `${session.token} ${session.expiresAtMs}`);
}
