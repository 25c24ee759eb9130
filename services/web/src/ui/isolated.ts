/** A name or an amount within a sentence of another direction: Unicode's isolates keep the words around it in their order. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
