import { sha256 } from '@paywatch/runtime/security';
import { countUnlocks } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import { assertAllowed } from '../limits/count-network.ts';
import type { Limiters } from '../limits/limiters.ts';

/**
 * Runs a password check and counts it if the password is wrong: `attempt` returns null. The point is counted before the check, so that
 * concurrent attempts cannot exceed the limit, and refunded if the password is right or the check failed. Throws AppError `rate_limited`.
 */
export async function limitFailedAttempts<Result>(
  limiters: Limiters,
  key: string,
  attempt: () => Promise<Result | null>,
): Promise<Result | null> {
  const counted = await limiters.login_email.count(key);
  assertAllowed(counted);
  let isWrong = false;
  try {
    const result = await attempt();
    isWrong = result === null;
    return result;
  } finally {
    if (!isWrong) await limiters.login_email.giveBack(key, counted);
  }
}

/**
 * Runs a check of the current password of an account, and counts it if the password is wrong: `attempt` returns null. Throws AppError
 * `rate_limited`.
 */
export async function limitWrongPasswords<Result>(
  { store, limiters }: Pick<Dependencies, 'store' | 'limiters'>,
  accountId: bigint,
  attempt: () => Promise<Result | null>,
): Promise<Result | null> {
  const unlocks = await countUnlocks(store, accountId);
  return limitFailedAttempts(limiters, sinceUnlock(`account:${accountId}`, unlocks), attempt);
}

/** Where an attempt counts. `unlocks`: how often the operator has unlocked the account. */
export type LoginCount = { knownOrigin: string | null; unlocks: number };

/**
 * The key under which failed logins to an account count. A network that the owner has logged in from has its own count, so that a
 * stranger who uses up the common one does not lock the owner out. The email itself is not stored in Redis.
 */
export function loginKey(email: string, { knownOrigin, unlocks }: LoginCount): string {
  return sinceUnlock(sha256(JSON.stringify([email, knownOrigin])).toString('base64url'), unlocks);
}

/**
 * Each unlock changes the key, which resets the count, also in the replicas' own memory, where the command line cannot delete a
 * key.
 */
function sinceUnlock(key: string, unlocks: number): string {
  return unlocks === 0 ? key : `${key}:${unlocks}`;
}
