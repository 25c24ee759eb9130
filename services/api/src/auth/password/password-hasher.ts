import { AppError } from '@paywatch/domain/requests';
import { hashPassword, matchesPasswordHash, randomToken } from '@paywatch/runtime/security';
import { createFairQueue } from '../../concurrency/fair-queue.ts';
import { broaderNetworks } from '../../limits/client-network.ts';

/**
 * Hashes passwords with Argon2id, a limited number at once. The rest wait in a queue that serves networks in turn; one network may hold a
 * quarter of it. Throws AppError `service_unavailable` when the queue is full.
 */
export type PasswordHasher = {
  /** Returns an encoded hash with its salt and settings. */
  hash(password: string, network: string): Promise<string>;
  /** For an unknown account, `encoded` is null: takes as long and returns false. */
  matches(encoded: string | null, password: string, network: string): Promise<boolean>;
};

/** Queued hashes per running one: a wait of about 100 ms. */
const WAITING_PER_SLOT = 4;
const NETWORK_SHARE = 4;

/** `concurrency` is usually the number of cores: more would make every login slower and use more memory. */
export function createPasswordHasher(concurrency: number): PasswordHasher {
  const maxWaiting = concurrency * WAITING_PER_SLOT;
  const queue = createFairQueue({
    concurrency,
    maxWaiting,
    maxWaitingPerOwner: Math.max(1, Math.floor(maxWaiting / NETWORK_SHARE)),
    queueFull: () =>
      new AppError('service_unavailable', 'Too many logins at the moment.', { retryAfterSeconds: 1 }),
  });
  const enqueue = <Result>(network: string, task: () => Promise<Result>): Promise<Result> =>
    queue(broaderNetworks(network).at(-1) ?? network, task);
  // A hash of an unknown password. Computed in advance: otherwise the first unknown email would take twice as long.
  const unmatched = hashPassword(randomToken(32));
  return {
    hash: (password, network) => enqueue(network, () => hashPassword(password)),
    matches: (encoded, password, network) =>
      enqueue(network, async () => {
        const isMatch = await matchesPasswordHash(encoded ?? (await unmatched), password);
        return encoded !== null && isMatch;
      }),
  };
}
