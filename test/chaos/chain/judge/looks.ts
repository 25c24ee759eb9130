/** Within so much time without an outage some watcher looks, whoever was killed or frozen meanwhile. */
export const LOOK_WITHIN_MS = 15_000;

/**
 * A payment that payers were shown, by a view that did not lag: a watcher has looked between its sending and that moment. However slow
 * the machine is, this does not come from what Paywatch claims of itself: nobody can show a payment that he has not met.
 */
export type Proof = { sentMs: number; shownMs: number };

/** What is proven of looks. */
export type Proven = {
  /** Whether somebody has looked between two moments, at all that the node held. */
  isProven(fromMs: number, toMs: number): boolean;
  /** When payers were first shown a transaction, by its txid: somebody has met it by then, though the view may have lagged. */
  shownMs: ReadonlyMap<string, number>;
};

/** Whether it is proven that somebody has looked between two moments. */
export function isProven(proofs: readonly Proof[], fromMs: number, toMs: number): boolean {
  return proofs.some(({ sentMs, shownMs }) => sentMs >= fromMs && shownMs <= toMs);
}
