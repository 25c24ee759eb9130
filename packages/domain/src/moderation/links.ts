/**
 * A scheme, `www.`, an IPv4 address, or a name and a top-level domain with a dot between them, which may be written out. A sentence
 * without a space after its full stop matches, too: a donation that is held for nothing costs a moderator one click.
 */
const LINK =
  /[a-z][a-z\d+.-]{0,20}:\/\/|\bwww\.|\b\d{1,3}(?:\.\d{1,3}){3}\b|[\p{L}\p{N}-]{1,63}\s?(?:\.|[([]\s?(?:dot|punkt|\.)\s?[)\]]|\sdot\s)\s?\p{L}{2,24}(?=[/:?#]|\s|\p{P}|$)/iu;
/** A full stop with a space after it, but none before it, ends a sentence. */
const SENTENCE_END = /(?<!\s)\.\s+/gu;
/** Other full stops, and bullets without space around them, which separate no items of a list. */
const FULL_STOPS = /[。｡．․]|(?<=\S)[‧•∙⋅](?=\S)/gu;

/** Whether a text contains something that looks like a link, also one written with other full stops. Pure. */
export function containsLink(text: string): boolean {
  const plain = text.normalize('NFKC').replaceAll(FULL_STOPS, '.');
  return LINK.test(plain.replaceAll(SENTENCE_END, ' | '));
}
