import { hash, randomFillSync, randomUUID, timingSafeEqual } from 'node:crypto';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** `count` random bytes in base58 (Bitcoin's alphabet), without the checksum. */
export function randomBase58(count: number): string {
  const digits: number[] = [];
  for (const byte of randomBytes(count)) {
    let carry = byte;
    for (const [i, digit] of digits.entries()) {
      carry += digit * 256;
      digits[i] = carry % 58;
      carry = Math.floor(carry / 58);
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58);
  }
  const text = digits.toReversed().map((digit) => BASE58[digit]);
  return text.join('') || '1';
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

/** Of the system's generator, ahead of demand: to ask it costs the same for 16 bytes as for some thousands. */
const ahead = Buffer.alloc(4096);
let taken = ahead.length;

function randomBytes(count: number): Buffer {
  if (taken + count > ahead.length) {
    randomFillSync(ahead);
    taken = 0;
  }
  const bytes = Buffer.from(ahead.subarray(taken, taken + count));
  // Given once, and not to be found in memory any longer than by its taker.
  ahead.fill(0, taken, taken + count);
  taken += count;
  return bytes;
}

/** What is stored in place of a high-entropy secret. Not for passwords. */
export function sha256(value: string | Uint8Array): Buffer {
  return hash('sha256', value, 'buffer');
}

/** Compares in a time that does not depend on where the two differ. */
export function equalSecrets(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** In [0, 1), for jitter and sampling; never for secrets. */
export function randomFraction(): number {
  return Math.random();
}
