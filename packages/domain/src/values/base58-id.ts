import { base58 } from '@scure/base';

/** The prefixes of public identifiers: invoices and events. */
export type PublicIdPrefix = 'inv_' | 'evt_';

/** Writes 16 random bytes as a public identifier: the prefix and base58. Throws RangeError on any other length. */
export function publicId(prefix: PublicIdPrefix, randomBytes: Uint8Array): string {
  // Fewer bits could be guessed: the identifier of an invoice is what lets a payer see it.
  if (randomBytes.length !== 16) throw new RangeError('a public identifier takes 128 bits');
  return prefix + base58.encode(randomBytes);
}

/** Tells whether a text has the form of an identifier with this prefix; cheap enough to precede every look-up. */
export function isPublicId(prefix: PublicIdPrefix, text: string): boolean {
  return text.startsWith(prefix) && BASE58_OF_16_BYTES.test(text.slice(prefix.length));
}

// 16 bytes are 22 digits at most; 16 at least, since each leading zero byte is one digit "1".
const BASE58_OF_16_BYTES = /^[1-9A-HJ-NP-Za-km-z]{16,22}$/;
