import { AppError } from '@paywatch/domain/requests';
import { hashPassword, matchesPasswordHash, randomToken } from '@paywatch/runtime/security';
import { createFairQueue } from '../fair-queue.ts';
import { broaderNetworks } from '../middleware/client-network.ts';

/**
 * Hashes passwords with Argon2id, so many at once; the rest wait, the networks in turn, and past a bound are refused. One network has
 * at most a quarter of what may wait. Throws AppError `service_unavailable` where no place is left.
 */
export type PasswordHasher = {
  /** An encoded hash with its salt and settings. */
  hash(password: string, network: string): Promise<string>;
  /** Takes as long for `null`, the hash of an unknown account, which nothing matches. */
  matches(encoded: string | null, password: string, network: string): Promise<boolean>;
};

/** Waiting hashes for each one that runs: a wait of about 100 ms. */
const WAITING_PER_SLOT = 4;
const NETWORK_SHARE = 4;

/** `atOnce` is the number of cores: more would only make every login slower, and fill the memory. */
export function createPasswordHasher(atOnce: number): PasswordHasher {
  const maxWaiting = atOnce * WAITING_PER_SLOT;
  const queue = createFairQueue({
    atOnce,
    maxWaiting,
    maxWaitingEach: Math.max(1, Math.floor(maxWaiting / NETWORK_SHARE)),
    refusal: () =>
      new AppError('service_unavailable', 'Too many logins at this moment.', { retryAfterSeconds: 1 }),
  });
  const limited = <Result>(network: string, task: () => Promise<Result>): Promise<Result> =>
    queue(broaderNetworks(network).at(-1) ?? network, task);
  // A hash that no password is known for; made now, or the first unknown email would take twice as long.
  const unmatched = hashPassword(randomToken(32));
  return {
    hash: (password, network) => limited(network, () => hashPassword(password)),
    matches: (encoded, password, network) =>
      limited(network, async () => {
        const isMatch = await matchesPasswordHash(encoded ?? (await unmatched), password);
        return encoded !== null && isMatch;
      }),
  };
}
