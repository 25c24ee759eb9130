/** Letters, digits and marks of any script, symbols, and the punctuation of which no mail program makes a link. */
const NOT_PLAIN = /[^\p{L}\p{M}\p{N}\p{So}\p{Sc}.&'’!?,()+–—-]+/gu;

/** Six digits or more, also in groups: a number to call. */
const PHONE_NUMBER = /\p{N}(?:[\s.()+–—-]*\p{N}){5,}/gu;

/**
 * The name of a project as mails quote it. A stranger chose it, so it must not contain a phone number or what mail programs turn into a
 * link, nor end the quotation. A dot stays only before a space or the end. Empty for an empty name. Pure.
 */
export function projectName(name = ''): string {
  return name
    .replaceAll(NOT_PLAIN, ' ')
    .replaceAll(PHONE_NUMBER, ' ')
    .replaceAll(/\.(?=\S)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
