const KEY = 'paywatch.invitation';
const KEPT_MS = 24 * 3_600_000;

/**
 * The token of an invitation that waits until its reader has logged in; null if there is none. All tabs share it, because the
 * link that verifies a new account opens in a tab of its own. Only the account that was invited can use the token.
 */
export function readKeptInvitation(nowMs: number): string | null {
  const [token = '', keptAtMs] = localStorage.getItem(KEY)?.split(' ') ?? [];
  const isKept = token !== '' && nowMs - Number(keptAtMs) < KEPT_MS;
  if (!isKept) deleteKeptInvitation();
  return isKept ? token : null;
}

/** Keeps a token for one day. */
export function keepInvitation(token: string, nowMs: number): void {
  localStorage.setItem(KEY, `${token} ${nowMs}`);
}

/** Forgets the token: it was used, cannot be used, or is not wanted. */
export function deleteKeptInvitation(): void {
  localStorage.removeItem(KEY);
}
