import type { CheckedCredential } from '@paywatch/store/redis';
import { countProvisionally, type Limiters } from '../limiters.ts';

/**
 * Asks Postgres what a token (SHA-256, hex) stands for. From one network, its /56 and its /48, so many unknown ones are asked for, and
 * then none: throws AppError `rate_limited`. A token that was known lately is asked for whatever its network does.
 */
export type CredentialGuard = (
  tokenHash: string,
  network: string,
  load: () => Promise<CheckedCredential | null>,
) => Promise<CheckedCredential | null>;

/** Beyond so many, the one that was seen first is forgotten. */
const MOST_KNOWN = 100_000;

/** Points are counted provisionally: those of a token that is known are given back. */
export function createCredentialGuard(limiters: Limiters): CredentialGuard {
  const known = new Set<string>();
  const remember = (tokenHash: string, isKnown: boolean): void => {
    known.delete(tokenHash);
    if (isKnown) known.add(tokenHash);
    const [oldest] = known;
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  };
  return async (tokenHash, network, load) => {
    const giveBack = known.has(tokenHash)
      ? null
      : await countProvisionally(limiters, 'unknown_credential', network);
    let isUnknown = false;
    try {
      const checked = await load();
      isUnknown = checked === null;
      remember(tokenHash, !isUnknown);
      return checked;
    } finally {
      // Postgres away says nothing about the token.
      if (!isUnknown) await giveBack?.();
    }
  };
}
