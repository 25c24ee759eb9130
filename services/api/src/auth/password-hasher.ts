import { AppError } from '@paywatch/domain';
import { hashPassword, matchesPasswordHash, randomToken } from '@paywatch/runtime';

/** Hashes passwords with Argon2id, so many at once; the rest wait in a short line, and past it are turned away. */
export type PasswordHasher = {
  /** An encoded hash with its salt and settings. Throws AppError `service_unavailable` when the line is full. */
  hash(password: string): Promise<string>;
  /** Takes as long for `null`, the hash of an unknown account, which nothing matches. Throws as `hash` does. */
  matches(encoded: string | null, password: string): Promise<boolean>;
};

/** Waiting hashes for each one that runs: a wait of about 100 ms. */
const WAITING_PER_SLOT = 4;

/** `atOnce` is the number of cores: more would only make every login slower, and fill the memory. */
export function createPasswordHasher(atOnce: number): PasswordHasher {
  const limited = createLine(atOnce, atOnce * WAITING_PER_SLOT);
  // A hash that no password is known for; made now, or the first unknown email would take twice as long.
  const unmatched = hashPassword(randomToken(32));
  return {
    hash: (password) => limited(() => hashPassword(password)),
    matches: (encoded, password) =>
      limited(async () => {
        const isMatch = await matchesPasswordHash(encoded ?? (await unmatched), password);
        return encoded !== null && isMatch;
      }),
  };
}

type Limited = <Result>(task: () => Promise<Result>) => Promise<Result>;

function createLine(atOnce: number, maxWaiting: number): Limited {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= atOnce) await takePlace(waiting, maxWaiting);
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Whoever is called takes over the slot of the one that ended. */
async function takePlace(waiting: (() => void)[], maxWaiting: number): Promise<void> {
  if (waiting.length >= maxWaiting) {
    throw new AppError('service_unavailable', 'Too many logins at this moment.', { retryAfterSeconds: 1 });
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  await promise;
}
