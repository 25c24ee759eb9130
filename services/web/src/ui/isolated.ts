/** Wraps a name or amount in Unicode isolates, so that right-to-left text does not reorder the sentence around it. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
