import { dictionary } from '@zxcvbn-ts/language-common';

/** The 18,000 of the 49,000 most common passwords that are long enough to be taken. Read once, when the process starts: 30 ms. */
const COMMON = new Set(
  dictionary['passwords-common'].map(String).filter((password) => Array.from(password).length >= 8),
);

/** Shorter names before the @ stand in too many words to say anything. */
const MIN_LOCAL_PART = 3;

/**
 * Why an attacker would try this password among the first, in a sentence for its owner; null for one that may be used. Upper case,
 * and spaces around it, make no difference. `email` is the account's, in lower case.
 */
export function passwordWeakness(password: string, email: string): string | null {
  const plain = password.trim().toLowerCase();
  if (isRepeated(plain) || COMMON.has(plain))
    return 'Is one of the most common passwords. Choose another one.';
  const local = email.split('@', 1)[0] ?? '';
  const isFromEmail = local.length >= MIN_LOCAL_PART && plain.includes(local);
  return isFromEmail || plain.includes(email)
    ? 'Must not contain your email address or the part before the @.'
    : null;
}

/** Nothing, or one character again and again. */
function isRepeated(text: string): boolean {
  return new Set(text).size <= 1;
}
