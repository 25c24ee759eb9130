import naughtyWords from 'naughty-words';
import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from 'obscenity';

/** English, including letters replaced by similar ones or repeated. */
const english = new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers });

const SPACED = [
  'cs',
  'da',
  'de',
  'es',
  'fi',
  'fr',
  'hu',
  'it',
  'nl',
  'no',
  'pl',
  'pt',
  'ru',
  'sv',
  'tr',
] as const;
const UNSPACED = ['ja', 'ko', 'th', 'zh'] as const;
/** Found as whole words. Shorter ones are harmless words of other languages. */
const spaced = SPACED.flatMap((language) => naughtyWords[language])
  .map(wordsOf)
  .filter((word) => word.length >= ' four '.length);
/** Found anywhere. Single characters and Latin abbreviations are parts of harmless words. */
const unspaced = UNSPACED.flatMap((language) => naughtyWords[language]).filter(
  (word) => /^[\p{L}\p{M}]{2,}$/u.test(word) && !/\p{Script=Latin}/u.test(word),
);

/**
 * Whether a text contains an offensive word of the built-in lists, or one of the project's own words. Own words are also found inside
 * longer words, whatever their case and accents. Pure.
 */
export function containsListedWord(text: string, ownWords: readonly string[]): boolean {
  const forms = [text, joinSpelledOut(text)];
  return forms.some((form) => isOffensive(form) || containsOwnWord(form, ownWords));
}

function isOffensive(text: string): boolean {
  if (english.hasMatch(text) || unspaced.some((word) => text.includes(word))) return true;
  const words = wordsOf(text);
  return spaced.some((word) => words.includes(word));
}

function containsOwnWord(text: string, ownWords: readonly string[]): boolean {
  const folded = fold(text);
  return ownWords.some((word) => folded.includes(fold(word)));
}

/** Lower case, with one space around each word. */
function wordsOf(text: string): string {
  return ` ${text
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .join(' ')
    .trim()} `;
}

/** `b.a d` becomes `bad`: joins single letters that are separated from each other. */
function joinSpelledOut(text: string): string {
  return text.replaceAll(/(?<=(?<!\p{L})\p{L})[\s\p{P}]{1,3}(?=\p{L}(?!\p{L}))/gu, '');
}

/** Without case and accents. */
function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
