import { scryptSync } from 'node:crypto';
import type { Currency } from '../../values/coins.ts';
import { doubleSha256 } from '../hashes.ts';

/**
 * The target of `bits`, which a block's proof-of-work hash must not exceed. Null for values that no node accepts: zero,
 * negative, or above 256 bits. One byte of exponent (in bytes), one sign bit, 23 bits of mantissa.
 */
export function targetOfBits(bits: number): bigint | null {
  const exponent = bits >>> 24;
  const mantissa = BigInt(bits & 0x7fffff);
  // A shift by a negative number is one to the right.
  const target = mantissa << BigInt(8 * (exponent - 3));
  const isNegative = (bits & 0x800000) !== 0;
  return isNegative || target === 0n || target >= TWO_TO_256 ? null : target;
}

/** The compact form of a target, which keeps its three most significant bytes. */
export function bitsOfTarget(target: bigint): number {
  let size = Math.ceil(target.toString(16).length / 2);
  let mantissa = Number(target >> BigInt(8 * (size - 3)));
  // The highest bit of the mantissa is the sign.
  if (mantissa > 0x7fffff) {
    mantissa >>>= 8;
    size += 1;
  }
  return size * 0x1000000 + mantissa;
}

/** The average number of hashes needed to meet a target, which nodes sum up as chainwork. 0 for an invalid target. */
export function workOfBits(bits: number): bigint {
  const target = targetOfBits(bits);
  return target === null ? 0n : TWO_TO_256 / (target + 1n);
}

/** The proof-of-work hash of a serialised header: double SHA-256, or scrypt for Litecoin (about 1 ms). */
export function proofOfWorkHash(currency: Currency, header: Uint8Array): bigint {
  const hash = currency === 'LTC' ? scryptSync(header, header, 32, SCRYPT) : doubleSha256(header);
  return BigInt(`0x${Buffer.from(hash.toReversed()).toString('hex')}`);
}

/** Whether a serialised header meets the target of these bits. */
export function meetsTarget(currency: Currency, header: Uint8Array, bits: number): boolean {
  const target = targetOfBits(bits);
  return target !== null && proofOfWorkHash(currency, header) <= target;
}

const TWO_TO_256 = 1n << 256n;
const SCRYPT = { N: 1024, r: 1, p: 1 };
