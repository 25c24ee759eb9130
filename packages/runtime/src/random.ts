import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** `count` random bytes in base58 (Bitcoin's alphabet), without the checksum. */
export function randomBase58(count: number): string {
  let value = BigInt(`0x${randomBytes(count).toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = BASE58[Number(value % 58n)] + text;
  return text || '1';
}

/** `count` random bytes in base64url: session tokens and secrets. */
export function randomToken(count: number): string {
  return randomBytes(count).toString('base64url');
}

/** `count` random bytes in base64: signing secrets, whose standard asks for this alphabet. */
export function randomBase64(count: number): string {
  return randomBytes(count).toString('base64');
}

/** What names one occasion for ever, as text of the form that Postgres calls uuid. */
export function randomUuid(): string {
  return randomUUID();
}

/** What is stored in place of a high-entropy secret. Not for passwords. */
export function sha256(value: string | Uint8Array): Buffer {
  return createHash('sha256').update(value).digest();
}

/** Compares in a time that does not depend on where the two differ. */
export function equalSecrets(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** In [0, 1), for jitter and sampling; never for secrets. */
export function randomFraction(): number {
  return Math.random();
}
