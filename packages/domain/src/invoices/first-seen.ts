/** How much earlier than its block an MWEB peg-out counts: until its block nobody can see it. */
export const PEG_OUT_HEAD_START_MS = 30 * 60_000;

/** What is known of when a transaction appeared. Times in epoch milliseconds, null where unknown. */
export type Sighting = {
  /** When we first had it in hand. */
  sightedAtMs: number;
  /** When the node says that it entered its mempool. */
  mempoolTimeMs: number | null;
  /** The time of the block in which we first met it; null where we met it in a mempool. */
  metInBlockTimeMs: number | null;
  /** It is an output of a HogEx after the first: money that leaves the extension block. */
  isPegOut: boolean;
};

/** A payment that a replacement took the place of: what it paid this invoice, and when it counts as first seen. */
export type Replaced = { amount: bigint; firstSeenMs: number };

/**
 * When a payment counts as first seen, in epoch milliseconds: the earliest of what is known of it.
 * Our own sighting alone would make honest payers late whenever we were down.
 */
export function firstSeen(sighting: Sighting): number {
  const headStartMs = sighting.isPegOut ? PEG_OUT_HEAD_START_MS : 0;
  const known = [sighting.mempoolTimeMs, sighting.metInBlockTimeMs].filter((ms) => ms !== null);
  return Math.min(sighting.sightedAtMs, ...known) - headStartMs;
}

/**
 * When a payment that replaces others counts as first seen. A fee bump after the deadline keeps the time of what it
 * bumps, if that paid this invoice at least as much; a cheap placeholder, sent early to be raised later, buys no time.
 * `amount` and those of `replaced` are what each transaction pays this invoice, in minimal units.
 */
export function inheritFirstSeen(ownMs: number, amount: bigint, replaced: readonly Replaced[]): number {
  const honest = replaced.filter((payment) => payment.amount >= amount);
  return Math.min(ownMs, ...honest.map((payment) => payment.firstSeenMs));
}
