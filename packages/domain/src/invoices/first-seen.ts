/** How much earlier than its block an MWEB peg-out counts as seen, because nobody can see it before. */
export const PEG_OUT_HEAD_START_MS = 30 * 60_000;

/** What is known about when a transaction appeared. Times in epoch milliseconds, null if unknown. */
export type Sighting = {
  /** When we first received it. */
  sightedAtMs: number;
  /** When the transaction entered the mempool, by the node's clock. */
  mempoolTimeMs: number | null;
  /** The time of the block in which we first saw it; null if we first saw it in a mempool. */
  metInBlockTimeMs: number | null;
  /** It is an output of a HogEx after the first one: money that leaves the extension block. */
  isPegOut: boolean;
};

/** A replaced payment: what it paid this invoice, and when it counts as first seen. */
export type Replaced = { amount: bigint; firstSeenMs: number };

/**
 * When a payment counts as first seen, in epoch milliseconds: the earliest known time. Our own time alone would make honest
 * payers late after every downtime.
 */
export function firstSeen(sighting: Sighting): number {
  const headStartMs = sighting.isPegOut ? PEG_OUT_HEAD_START_MS : 0;
  const known = [sighting.mempoolTimeMs, sighting.metInBlockTimeMs].filter((ms) => ms !== null);
  return Math.min(sighting.sightedAtMs, ...known) - headStartMs;
}

/**
 * When a replacement counts as first seen. A fee bump after the deadline keeps the time of the replaced payment if that paid
 * this invoice at least as much; a small payment that is sent early and raised later gains no time. `amount` and the amounts of
 * `replaced` are what each transaction pays this invoice, in minimal units.
 */
export function inheritFirstSeen(ownMs: number, amount: bigint, replaced: readonly Replaced[]): number {
  const honest = replaced.filter((payment) => payment.amount >= amount);
  return Math.min(ownMs, ...honest.map((payment) => payment.firstSeenMs));
}
