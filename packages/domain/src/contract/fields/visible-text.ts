/**
 * The rule for text that other people see: names, messages, order ids. The server cleans and refuses text by it, and the pages
 * measure lengths by it. Imports nothing, so that a page loads only this file.
 */

/** Length of a text in Unicode code points, as JSON Schema's maxLength and Postgres count it. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Makes foreign text safe to show as plain text, in one line, anywhere. Line breaks and tabs become a space. Characters that
 * hide, reorder or show nothing are removed, and so are marks after the third in a row. The rest is put in NFC and trimmed.
 * Joiners stay where an emoji or a script needs them. A text that would show nothing becomes empty. Applying it twice changes
 * nothing. Linear in the length of the text.
 */
export function plainText(text: string): string {
  const oneLine = text.replace(LINE_BREAKS, ' ').replace(HIDDEN, '');
  // Before the rules, since NFC takes a few letters apart; and after them, since a joiner kept a letter and its mark apart.
  const shown = removeStrayJoiners(dropSurplusMarks(oneLine).normalize('NFC'));
  const clean = dropSurplusMarks(shown).normalize('NFC').trim();
  return VISIBLE.test(clean) ? clean : '';
}

function dropSurplusMarks(text: string): string {
  return text.replace(SURPLUS_MARKS, '$1');
}

/** True where every character of the text is shown, as one line and in its order: an identifier that people compare. */
export function isFullyVisible(text: string): boolean {
  return (
    !LINE_BREAKS_ONCE.test(text) &&
    !HIDDEN_ONCE.test(text) &&
    !hasSurplusMarks(text) &&
    removeStrayJoiners(text) === text &&
    VISIBLE.test(text)
  );
}

/** True if more combining marks follow each other than any writing system needs. Normalizing such a text takes quadratic time. */
export function hasSurplusMarks(text: string): boolean {
  return SURPLUS_MARKS_ONCE.test(text);
}

const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
const LINE_BREAKS_ONCE = new RegExp(LINE_BREAKS, 'u');
/**
 * Control characters, lone surrogates, private use, what Unicode calls default ignorable (tag characters, fillers, marks that
 * set the direction, zero widths), non-characters, and three symbols that fonts draw as nothing. Joiners and variation
 * selectors are left to removeStrayJoiners.
 */
const HIDDEN =
  /[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\uFFF9-\uFFFC\u2800\u{1D159}]|(?!\u200C|\u200D|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}])\p{Default_Ignorable_Code_Point}/gu;
const HIDDEN_ONCE = new RegExp(HIDDEN, 'u');
/** Vietnamese, Hebrew and Thai need up to three marks on a letter; more of them cover the lines above. */
const SURPLUS_MARKS = /(\p{M}{3})\p{M}+/gu;
const SURPLUS_MARKS_ONCE = /\p{M}{4}/u;
/** Something that leaves a trace on the screen: letters, digits, punctuation, symbols. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Scripts whose letters change their shape by a joiner between them. */
const JOINING =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}';
const IN_LETTERS = `(?<=[${JOINING}]\\p{M}{0,3})[\\u200C\\u200D](?=[${JOINING}])`;
/** Between the parts of a family or of a profession; a selector or a skin tone may end the part before. */
const IN_EMOJI =
  '(?<=\\p{Extended_Pictographic}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]?)\\u200D(?=\\p{Extended_Pictographic})';
/** A selector chooses how the character before it is drawn; a second one would choose nothing. */
const AFTER_SHOWN = '(?<=[\\p{L}\\p{N}\\p{P}\\p{S}])[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]';
const JOINERS = new RegExp(
  `${IN_LETTERS}|${IN_EMOJI}|${AFTER_SHOWN}|([\\u200C\\u200D\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}])`,
  'gu',
);

function removeStrayJoiners(text: string): string {
  return text.replace(JOINERS, (found, stray?: string) => (stray === undefined ? found : ''));
}
