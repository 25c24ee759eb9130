import { base58 } from '@scure/base';

/** The prefixes of public identifiers: invoices, events, webhook endpoints, payment links and uploads. */
export type PublicIdPrefix = 'inv_' | 'evt_' | 'we_' | 'plink_' | 'upl_';

/** Writes 16 random bytes as a public identifier: the prefix, then base58. Throws RangeError on any other length. */
export function publicId(prefix: PublicIdPrefix, randomBytes: Uint8Array): string {
  // Knowing the identifier of an invoice is enough to see it; fewer bits could be guessed.
  if (randomBytes.length !== 16)
    throw new RangeError(`public identifier from ${randomBytes.length} random bytes instead of 16`);
  return prefix + base58.encode(randomBytes);
}
