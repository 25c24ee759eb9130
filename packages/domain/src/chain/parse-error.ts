/** Bytes that are no transaction or block: cut off, overlong, or with a count that the rest cannot hold. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
}
