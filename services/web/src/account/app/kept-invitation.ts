const KEY = 'paywatch.invitation';
const KEPT_MS = 24 * 3_600_000;
/** The form of the tokens in mails. Anything else is no invitation, so it need not wait. */
const TOKEN = /^[\w-]{43}$/;

/** `isShown`: a login need not lead to it any more. */
type Kept = { token: string; sinceMs: number; isShown: boolean };

/**
 * The token of an invitation that waits until its reader has logged in; null if there is none. All tabs share it, because the
 * link that verifies a new account opens in a tab of its own. Only the account that was invited can use the token.
 */
export function readKeptInvitation(nowMs: number): string | null {
  return readKept(nowMs)?.token ?? null;
}

/** Whether a login leads to an invitation: one waits, and was not shown after a login yet. */
export function isInvitationDue(nowMs: number): boolean {
  return readKept(nowMs)?.isShown === false;
}

/** Keeps a token for one day, counted from the first time. `isShown`: whether its reader is logged in and sees it. */
export function keepInvitation(token: string, isShown: boolean, nowMs: number): void {
  if (!TOKEN.test(token)) return;
  const kept = readKept(nowMs);
  const sinceMs = kept?.token === token ? kept.sinceMs : nowMs;
  localStorage.setItem(KEY, `${token} ${sinceMs} ${isShown ? 'shown' : 'due'}`);
}

/** Forgets the token: it was used, cannot be used, or is not wanted. */
export function deleteKeptInvitation(): void {
  localStorage.removeItem(KEY);
}

function readKept(nowMs: number): Kept | null {
  const [token = '', sinceMs, shown] = localStorage.getItem(KEY)?.split(' ') ?? [];
  if (TOKEN.test(token) && nowMs - Number(sinceMs) < KEPT_MS)
    return { token, sinceMs: Number(sinceMs), isShown: shown === 'shown' };
  deleteKeptInvitation();
  return null;
}
