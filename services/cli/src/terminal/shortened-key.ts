/** Shortens an extended key for display: the full key reveals all past and future payments of the merchant. */
export function shortenedKey(xpub: string): string {
  return `${xpub.slice(0, 8)}…${xpub.slice(-4)}`;
}
