import { base32nopad, base58 } from '@scure/base';
import { randomFillSync, randomUUID } from 'node:crypto';

/** `count` random bytes in base58 (Bitcoin's alphabet), without a checksum. */
export function randomBase58(count: number): string {
  return base58.encode(secureRandomBytes(count));
}

/** `count` random bytes in base64url, for session tokens and secrets. */
export function randomToken(count: number): string {
  return secureRandomBytes(count).toString('base64url');
}

/** `count` random bytes in base64, the alphabet that Standard Webhooks requires for signing secrets. */
export function randomBase64(count: number): string {
  return secureRandomBytes(count).toString('base64');
}

/** `count` random bytes in base32 without padding, the alphabet of authenticator apps. */
export function randomBase32(count: number): string {
  return base32nopad.encode(secureRandomBytes(count));
}

/** A random UUID (version 4). */
export function randomUuid(): string {
  return randomUUID();
}

/** Returns a number in [0, 1) for jitter and sampling. Not for secrets. */
export function randomFraction(): number {
  return Math.random();
}

// Filled in advance: a call to the system's generator costs the same for 16 bytes as for 4096.
const buffered = Buffer.alloc(4096);
let used = buffered.length;

/** `count` random bytes of the system's generator; at most 4096. */
export function secureRandomBytes(count: number): Buffer {
  if (used + count > buffered.length) {
    randomFillSync(buffered);
    used = 0;
  }
  const bytes = Buffer.from(buffered.subarray(used, used + count));
  // Erased so that bytes are never returned twice and a secret has no second copy in memory.
  buffered.fill(0, used, used + count);
  used += count;
  return bytes;
}
