/** Some watcher polls within this time without an outage, even if others were killed or frozen. */
export const LOOK_WITHIN_MS = 15_000;

/**
 * A payment that payers were shown by a fresh view: a watcher polled between its sending and that moment. This proof needs no
 * claim of Paywatch about itself: a payment that nobody read cannot be shown.
 */
export type Proof = { sentMs: number; shownMs: number };

/** What is proven of looks. */
export type Proven = {
  /** Whether some watcher polled between two moments and saw everything that the node had. */
  isProven(fromMs: number, toMs: number): boolean;
  /** Whether Paywatch reported a complete read that began and ended between two moments. */
  wasRead(fromMs: number, toMs: number): boolean;
  /** When payers were first shown a transaction, by its txid: a watcher had read it by then, even if the view was stale. */
  shownMs: ReadonlyMap<string, number>;
};

/** Whether some watcher provably polled between two moments. */
export function isProven(proofs: readonly Proof[], fromMs: number, toMs: number): boolean {
  return proofs.some(({ sentMs, shownMs }) => sentMs >= fromMs && shownMs <= toMs);
}

/**
 * Whether a complete read began and ended between two moments. `reads` are the end times of complete reads; a read begins after the previous
 * one has ended, so two end times are enough. Paywatch itself reports them: once it reports a read, it must know what the node held.
 */
export function wasRead(reads: readonly number[], fromMs: number, toMs: number): boolean {
  return reads.filter((ms) => ms > fromMs && ms < toMs).length >= 2;
}
