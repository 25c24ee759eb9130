/**
 * A scheme, `www.`, or a name and a top-level domain with a dot between them, which may be written out. A sentence without a space
 * after its full stop matches, too: a donation that is held for nothing costs a moderator one click.
 */
const LINK =
  /[a-z][a-z\d+.-]{0,20}:\/\/|\bwww\.|[\p{L}\p{N}-]{1,63}\s?(?:\.|[([]\s?(?:dot|punkt|\.)\s?[)\]]|\sdot\s)\s?\p{L}{2,24}(?=[/:?#]|\s|\p{P}|$)/iu;
/** A full stop with a space after it ends a sentence. */
const SENTENCE_END = /\.\s+/gu;

/** Whether a text contains something that looks like a link, also one written with other full stops. Pure. */
export function containsLink(text: string): boolean {
  const plain = text.normalize('NFKC').replaceAll(/[。｡．․]/gu, '.');
  return LINK.test(plain.replaceAll(SENTENCE_END, ' | '));
}
