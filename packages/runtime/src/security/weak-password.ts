import { dictionary } from '@zxcvbn-ts/language-common';

/** Common passwords that meet the minimum length: 18,000 of 49,000. Loading takes 30 ms at start. */
const COMMON = new Set(
  dictionary['passwords-common'].map(String).filter((password) => Array.from(password).length >= 8),
);

/** Shorter local parts of an email address occur in too many words. */
const MIN_LOCAL_PART = 3;

/** Words that somebody who guesses a password of this product would try, alone or together. docs/security/asvs.md lists them. */
const PRODUCT_WORDS =
  /paywatch|bitcoin|litecoin|btc|ltc|crypto|wallet|payment|donation|donate|invoice|merchant|overlay|account|admin|password/g;

/** With fewer letters besides the product's words, these are most of the password. */
const MIN_OTHER_LETTERS = 4;

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
  if (isFromEmail || plain.includes(email))
    return 'Must not contain your email address or the part before the @.';
  return isAboutProduct(plain) ? 'Consists of words about this product. Choose another one.' : null;
}

/** Whether little is left of the text without the product's words, digits and signs. `plain`: in lower case. */
function isAboutProduct(plain: string): boolean {
  const rest = plain.replaceAll(PRODUCT_WORDS, '');
  return rest !== plain && rest.replaceAll(/\P{L}/gu, '').length < MIN_OTHER_LETTERS;
}

/** Whether the text is empty or repeats one character. */
function isRepeated(text: string): boolean {
  return new Set(text).size <= 1;
}
