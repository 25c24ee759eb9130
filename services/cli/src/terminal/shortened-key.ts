/** An extended key as it may be shown: whoever has the whole one sees every payment of the merchant, past and to come. */
export function shortenedKey(xpub: string): string {
  return `${xpub.slice(0, 8)}…${xpub.slice(-4)}`;
}
