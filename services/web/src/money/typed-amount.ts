/** A typed amount as the parsers of coins and prices take it: with a decimal point, a digit on both sides of it, and no spaces. Pure. */
export function normalizeAmount(typed: string): string {
  const text = typed.replaceAll(/\s/g, '').replace(/^([^.,]*),([^.,]*)$/, '$1.$2');
  return text.replace(/^\./, '0.').replace(/\.$/, '');
}
