import { hash, verify } from '@node-rs/argon2';

/** OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane. */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes a password with Argon2id. The encoded result contains the salt and the settings. Takes about 15 ms of one core, so limit the
 * number of concurrent calls for unauthenticated requests.
 */
export function hashPassword(password: string): Promise<string> {
  return hash(password, SETTINGS);
}

/** Whether the password matches the encoded hash. Throws if `encoded` is not a hash. */
export function matchesPasswordHash(encoded: string, password: string): Promise<boolean> {
  return verify(encoded, password);
}
