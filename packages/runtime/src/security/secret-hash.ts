import { hash, timingSafeEqual } from 'node:crypto';

/** Hashes a high-entropy secret for storage. Not for passwords: see `hashPassword`. */
export function sha256(value: string | Uint8Array): Buffer {
  return hash('sha256', value, 'buffer');
}

/** Compares in constant time for values of equal length. */
export function equalSecrets(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
