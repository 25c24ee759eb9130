import { z } from 'zod';

/** Length of a text in Unicode code points, as JSON Schema's maxLength and Postgres count it. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}

/**
 * Makes foreign text safe to show as plain text, in one line, anywhere: line breaks and tabs become a space;
 * control characters, lone surrogates, invisible spaces and the marks that reorder what stands around them
 * (bidirectional embeddings, overrides, isolates) go; the rest is put in NFC and trimmed.
 * Joiners stay, since emoji and several scripts need them. Applying it twice changes nothing.
 */
export function plainText(text: string): string {
  const oneLine = text.replace(LINE_BREAKS, ' ').replace(NEVER_SHOWN, '').normalize('NFC').trim();
  return VISIBLE.test(oneLine) ? oneLine : '';
}

const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
const NEVER_SHOWN =
  // oxlint-disable-next-line no-misleading-character-class -- single characters of a class, none is combined
  /[\p{Cc}\p{Cs}\u200B\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]/gu;
/** Something that leaves a trace on the screen: letters, digits, punctuation, symbols. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A text that is stored and shown: cleaned by plainText, then measured. */
export function shownText({ minLength = 0, maxLength }: { minLength?: number; maxLength: number }) {
  return z
    .string()
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
  return z
    .string()
    .refine((text) => text.isWellFormed() && !CONTROL.test(text), { error: NO_CONTROL, abort: true })
    .refine((text) => countCharacters(text) >= minLength, { error: tooShort(minLength) })
    .refine((text) => countCharacters(text) <= maxLength, { error: tooLong(maxLength) })
    .meta({ minLength, maxLength });
}

const CONTROL = /\p{Cc}/u;
const NO_CONTROL = 'Must not contain control characters or broken Unicode.';

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

/** The URL parser forgives backslashes, spaces and a missing slash; a page or library elsewhere may not. */
function isHttpsUrl(text: string): boolean {
  return /^https:\/\/[^/\\?#\s][^\\\s]*$/iu.test(text) && URL.canParse(text);
}

function hasCredentials(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.username !== '' || url.password !== '');
}
