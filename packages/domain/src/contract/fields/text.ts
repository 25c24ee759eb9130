import { z } from 'zod';
import { countCharacters, hasSurplusMarks, isFullyVisible, plainText } from './visible-text.ts';

/**
 * The first check of every text field, before anything reads the text: UTF-16 units, which cost nothing to count. Four for each
 * character leave room for letters that come with their marks apart. What is left is counted in code points.
 */
export function boundedText(maxLength: number) {
  return z
    .string()
    .refine((text) => text.length <= 4 * maxLength, { error: tooLong(maxLength), abort: true });
}

/** A text that is stored and shown: cleaned by plainText, then measured. */
export function shownText({ minLength = 0, maxLength }: { minLength?: number; maxLength: number }) {
  return boundedText(maxLength)
    .overwrite(plainText)
    .refine((text) => countCharacters(text) >= minLength, { error: tooShort(minLength) })
    .refine((text) => countCharacters(text) <= maxLength, { error: tooLong(maxLength) })
    .meta({ ...(minLength === 0 ? {} : { minLength }), maxLength });
}

/** A field that may be left out. Null is the same as absent, since many JSON writers send it; both parse to null. */
export function optionalField<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? null);
}

/**
 * A text that identifies something and so is kept as it is: characters that no database or log takes well
 * (control characters, lone surrogates) are refused, not removed, since removing would merge two identifiers.
 */
export function exactText({ minLength = 1, maxLength }: { minLength?: number; maxLength: number }) {
  return boundedText(maxLength)
    .refine((text) => text.isWellFormed() && !CONTROL.test(text), { error: NO_CONTROL, abort: true })
    .refine((text) => !hasSurplusMarks(text), { error: TOO_MANY_MARKS, abort: true })
    .refine((text) => countCharacters(text) >= minLength, { error: tooShort(minLength), abort: true })
    .refine((text) => countCharacters(text) <= maxLength, { error: tooLong(maxLength), abort: true })
    .meta({ minLength, maxLength });
}

/** An exact text that others compare by eye. Characters that hide or reorder are refused, since removing would merge two texts. */
export function exactVisibleText({ maxLength }: { maxLength: number }) {
  return exactText({ maxLength })
    .refine(isFullyVisible, { error: 'Must not contain invisible or reordering characters.' })
    .meta({ minLength: 1, maxLength });
}

const CONTROL = /\p{Cc}/u;
const NO_CONTROL = 'Must not contain control characters or broken Unicode.';
const TOO_MANY_MARKS = 'Must not have more than three combining marks in a row.';

/** The message for a text below its limit. */
export function tooShort(minLength: number): string {
  return minLength === 1 ? 'Must not be empty.' : `Must have at least ${minLength} characters.`;
}

/** The message for a text above its limit. */
export function tooLong(maxLength: number): string {
  return `Must have at most ${maxLength} characters.`;
}

/**
 * An https address without credentials in it, kept as it was sent. Only its form is checked:
 * whether its host may be called is decided where the call is made.
 */
export function httpsUrl({ maxLength }: { maxLength: number }) {
  return exactText({ maxLength })
    .refine(isHttpsUrl, { error: 'Must be an absolute URL that begins with https://.' })
    .refine((text) => !hasCredentials(text), { error: 'Must not contain a user name or password.' })
    .meta({ minLength: 1, maxLength, format: 'uri', pattern: '^https://' });
}

/** Whether a text is an absolute https URL. Stricter than the URL parser, which accepts backslashes, spaces and a missing slash. Pure. */
export function isHttpsUrl(text: string): boolean {
  return /^https:\/\/[^/\\?#\s][^\\\s]*$/iu.test(text) && URL.canParse(text);
}

function hasCredentials(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.username !== '' || url.password !== '');
}
