import type { CheckedCredential, RateLimiter } from '@paywatch/store';
import { assertAllowed } from '../limiters.ts';

/**
 * Asks Postgres what a token (SHA-256, hex) stands for. From one network so many unknown ones are asked for, and then none: Throws
 * AppError `rate_limited`. A token that was known lately is asked for whatever its network does.
 */
export type CredentialGuard = (
  tokenHash: string,
  network: string,
  load: () => Promise<CheckedCredential | null>,
) => Promise<CheckedCredential | null>;

/** Beyond so many, the one that was seen first is forgotten. */
const MOST_KNOWN = 100_000;

/** `limiter` counts provisionally: the point of a token that is known is given back. */
export function createCredentialGuard(limiter: RateLimiter): CredentialGuard {
  const known = new Set<string>();
  const remember = (tokenHash: string, isKnown: boolean): void => {
    known.delete(tokenHash);
    if (isKnown) known.add(tokenHash);
    const [oldest] = known;
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  };
  return async (tokenHash, network, load) => {
    const counted = known.has(tokenHash) ? null : await limiter.count(network);
    if (counted !== null) assertAllowed(counted);
    let isUnknown = false;
    try {
      const checked = await load();
      isUnknown = checked === null;
      remember(tokenHash, !isUnknown);
      return checked;
    } finally {
      // Postgres away says nothing about the token.
      if (counted !== null && !isUnknown) await limiter.giveBack(network, counted);
    }
  };
}
