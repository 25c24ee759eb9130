import type { CheckedCredential } from '@paywatch/store/redis';
import { countProvisionally } from './count-network.ts';
import type { Limiters } from './limiters.ts';

/**
 * Loads the credential of a token (SHA-256, hex) from Postgres. Throws AppError `rate_limited` after too many unknown tokens from one
 * network, its /56 or its /48. A token that was valid recently is always loaded.
 */
export type CredentialGuard = (
  tokenHash: string,
  network: string,
  load: () => Promise<CheckedCredential | null>,
) => Promise<CheckedCredential | null>;

/** Above this number the oldest token is forgotten. */
const MAX_KNOWN_TOKENS = 100_000;

/** Counts each lookup provisionally, and refunds the points if the token is valid. */
export function createCredentialGuard(limiters: Limiters): CredentialGuard {
  const known = new Set<string>();
  const remember = (tokenHash: string, isKnown: boolean): void => {
    known.delete(tokenHash);
    if (isKnown) known.add(tokenHash);
    const [oldest] = known;
    if (known.size > MAX_KNOWN_TOKENS && oldest !== undefined) known.delete(oldest);
  };
  return async (tokenHash, network, load) => {
    const refund = known.has(tokenHash)
      ? null
      : await countProvisionally(limiters, 'unknown_credential', network);
    let isUnknown = false;
    try {
      const checked = await load();
      isUnknown = checked === null;
      remember(tokenHash, !isUnknown);
      return checked;
    } finally {
      // Also after an error: while Postgres is unavailable nothing is known about the token.
      if (!isUnknown) await refund?.();
    }
  };
}
