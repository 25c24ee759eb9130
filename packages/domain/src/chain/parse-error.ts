/** The bytes are no valid transaction or block: truncated, too long, or with an impossible count. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
}
