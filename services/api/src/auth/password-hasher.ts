import { AppError } from '@paywatch/domain/requests';
import { hashPassword, matchesPasswordHash, randomToken } from '@paywatch/runtime/security';
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
  const limited = createFairQueue(atOnce, atOnce * WAITING_PER_SLOT);
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

type Limited = <Result>(network: string, task: () => Promise<Result>) => Promise<Result>;

function createFairQueue(atOnce: number, maxWaiting: number): Limited {
  let running = 0;
  const queues = new Map<string, (() => void)[]>();
  return async (network, task) => {
    if (running >= atOnce) await enqueue(queues, broaderNetworks(network).at(-1) ?? network, maxWaiting);
    else running += 1;
    try {
      return await task();
    } finally {
      const next = takeNext(queues);
      if (next === null) running -= 1;
      else next();
    }
  };
}

/** Whoever is called takes over the slot of the one that ended. */
async function enqueue(
  queues: Map<string, (() => void)[]>,
  network: string,
  maxWaiting: number,
): Promise<void> {
  const queue = queues.get(network) ?? [];
  const waiting = queues.values().reduce((sum, { length }) => sum + length, 0);
  const share = Math.max(1, Math.floor(maxWaiting / NETWORK_SHARE));
  if (waiting >= maxWaiting || queue.length >= share) {
    throw new AppError('service_unavailable', 'Too many logins at this moment.', { retryAfterSeconds: 1 });
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  queues.set(network, [...queue, resolve]);
  await promise;
}

/** The first of the network whose turn it is, which is then last in turn. */
function takeNext(queues: Map<string, (() => void)[]>): (() => void) | null {
  const [turn] = queues;
  if (turn === undefined) return null;
  const [network, [next, ...rest]] = turn;
  queues.delete(network);
  if (rest.length > 0) queues.set(network, rest);
  return next ?? null;
}
