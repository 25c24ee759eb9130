/** Within so much time without an outage some watcher looks, whoever was killed or frozen meanwhile. */
export const LOOK_WITHIN_MS = 15_000;

/**
 * A payment that payers were shown, by a view that did not lag: a watcher has looked between its sending and that moment. However slow
 * the machine is, this does not come from what Paywatch claims of itself: nobody can show a payment that he has not met.
 */
export type Proof = { sentMs: number; shownMs: number };

/** Whether it is proven that somebody has looked between two moments. */
export function isProven(proofs: readonly Proof[], fromMs: number, toMs: number): boolean {
  return proofs.some(({ sentMs, shownMs }) => sentMs >= fromMs && shownMs <= toMs);
}
