/** A session of the account area. */
export type Session = { readonly token: string; readonly expiresAtMs: number };

const KEY = 'paywatch.session';

/**
 * Where the session token is kept: the sessionStorage of this tab. It survives a reload and ends with the tab; it is no
 * cookie, so no other site can make a browser use it, and it never reaches a disk as localStorage would. A script of
 * somebody else could read it, which is what the policy of the pages is strict for.
 */
export function readSession(storage: Storage, nowMs: number): Session | null {
  const [token, expiresAt] = (storage.getItem(KEY) ?? '').split(' ');
  const expiresAtMs = Number(expiresAt);
  return token !== undefined && token !== '' && expiresAtMs > nowMs ? { token, expiresAtMs } : null;
}

/** Keeps a session, or with null forgets it. */
export function writeSession(storage: Storage, session: Session | null): void {
  if (session === null) storage.removeItem(KEY);
  else storage.setItem(KEY, `${session.token} ${session.expiresAtMs}`);
}
