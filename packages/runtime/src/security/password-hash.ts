import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes a password with Argon2id into an encoded text that carries its salt and settings. Takes one core about 15 ms:
 * where strangers may ask for it, limit how many run at once.
 */
export function hashPassword(password: string): Promise<string> {
  return hash(password, SETTINGS);
}

/** Whether the password is the one that was hashed, by the settings that the hash carries. Throws on a text that is no hash. */
export function matchesPasswordHash(encoded: string, password: string): Promise<boolean> {
  return verify(encoded, password);
}
