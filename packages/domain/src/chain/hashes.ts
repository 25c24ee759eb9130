import { hash } from 'node:crypto';
import { ripemd160 } from '@noble/hashes/legacy.js';

// SHA-256 comes from the runtime, which is several times faster than JavaScript; it is as pure. RIPEMD-160 does not:
// OpenSSL 3 offers it only where a legacy provider is loaded.

/** SHA-256. */
export function sha256(data: Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

/** SHA-256 of SHA-256, the hash of transactions and blocks. */
export function doubleSha256(data: Uint8Array): Buffer {
  return sha256(sha256(data));
}

/** RIPEMD-160 of SHA-256, which represents a public key or redeem script in an address. */
export function hash160(data: Uint8Array): Uint8Array {
  return ripemd160(sha256(data));
}
