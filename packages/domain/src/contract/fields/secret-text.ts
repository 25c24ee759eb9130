/**
 * Recognizes private keys and seed phrases in pasted text. The server refuses them, and the pages check before they send
 * anything. Imports nothing, so that a page loads only this file.
 */

/** What a pasted text gives away. */
export type SecretKind = 'private_key' | 'seed_phrase';

/** Prefixes of extended private keys (BIP 32, SLIP 132, Litecoin), single and multisig: recognized only to be refused. */
export const PRIVATE_KEY_PREFIXES: readonly string[] = Object.freeze([
  'xprv',
  'yprv',
  'zprv',
  'tprv',
  'uprv',
  'vprv',
  'Yprv',
  'Zprv',
  'Uprv',
  'Vprv',
  'Ltpv',
  'Mtpv',
  'ttpv',
]);

/**
 * Finds a private key in any form (extended, WIF, BIP 38, mini, raw hex, codex32, alone or in a descriptor or sentence) or a
 * seed phrase, even a mistyped one; null if there is neither. Line breaks, invisible and full-width characters do not hide it.
 * Checks only the beginning of a long text.
 */
export function findSecret(pasted: string): SecretKind | null {
  const text = pasted.slice(0, MOST_CHARACTERS).normalize('NFKC').replace(INVISIBLE, '').trim();
  // Mail programs wrap a key over several lines, so it is also searched with the line breaks removed.
  const unbroken = text.replace(/\s+/gu, '');
  if (PRIVATE_PATTERNS.some((pattern) => pattern.test(text) || pattern.test(unbroken))) return 'private_key';
  return isSeedPhrase(text) ? 'seed_phrase' : null;
}

const MOST_CHARACTERS = 4000;
const INVISIBLE = /[\p{Cf}\p{Cs}]/gu;

const BASE58 = '1-9A-HJ-NP-Za-km-z';
const PRIVATE_PATTERNS: readonly RegExp[] = [
  // Also inside a descriptor or a sentence, hence the look-behind and not an anchor.
  new RegExp(`(?<![${BASE58}])(?:${PRIVATE_KEY_PREFIXES.join('|')})`, 'i'),
  // Wallet import format: 51 characters, or 52 where compressed; BIP 38 encrypts it into 58 that begin with 6P.
  new RegExp(`(?<![${BASE58}])(?:[5KLT69c][${BASE58}]{50,51}|6P[${BASE58}]{56})(?![${BASE58}])`),
  // Casascius' mini keys are nothing but the key.
  new RegExp(`^S[${BASE58}]{21}(?:[${BASE58}]{4}|[${BASE58}]{8})?$`),
  // 32 bytes of a private key, or 64 bytes of a seed.
  /(?<![0-9a-f])(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{128})(?![0-9a-f])/i,
  // A share of codex32 (BIP 93).
  /(?<![a-z0-9])ms1[02-9ac-hj-np-z]{45,}/i,
];

// BIP 39 phrases have 12 to 24 words, Electrum's 12 or 13, in any script, sometimes numbered, and one or two get lost in copying.
const MIN_SEED_WORDS = 10;
const SEED_WORD = /^\d*[\p{L}\p{M}]+$/u;
// Phrases in Chinese are written without spaces.
const HAN_PHRASE = /\p{Script=Han}{10}/u;

/** So many words in a row are nothing else that could be pasted here. */
function isSeedPhrase(text: string): boolean {
  const words = text.split(/[\s,;:[\].()\-_/|+*"']+/u).filter((word) => SEED_WORD.test(word));
  return words.length >= MIN_SEED_WORDS || HAN_PHRASE.test(text);
}
