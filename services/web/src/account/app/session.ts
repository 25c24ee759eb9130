/** A session of the account area, as its pages know it. The credential is in a cookie that no script can read. */
export type Session = { readonly expiresAtMs: number };

const KEY = 'paywatch.session';

/**
 * Reads whether this browser is logged in: all its tabs share the note, as they share the cookie. The note is no credential; without the
 * cookie the API refuses every request, and the note is deleted. Null after the session has expired.
 */
export function readSession(nowMs: number): Session | null {
  // Earlier releases kept the token here.
  sessionStorage.removeItem(KEY);
  const expiresAtMs = Number(localStorage.getItem(KEY));
  return expiresAtMs > nowMs ? { expiresAtMs } : null;
}

/** Notes a new session. */
export function writeSession({ expiresAtMs }: Session): void {
  localStorage.setItem(KEY, String(expiresAtMs));
}

/** Deletes the note of a session that has ended, but not that of a later login in another tab. */
export function deleteSession({ expiresAtMs }: Session): void {
  if (localStorage.getItem(KEY) === String(expiresAtMs)) localStorage.removeItem(KEY);
}

/** Calls back when another tab logs in or out. Returns how to stop. */
export function followSession(onChange: (session: Session | null) => void): () => void {
  const follow = ({ key }: StorageEvent) => {
    // Without a key, all was deleted.
    if (key === KEY || key === null) onChange(readSession(Date.now()));
  };
  addEventListener('storage', follow);
  return () => removeEventListener('storage', follow);
}
