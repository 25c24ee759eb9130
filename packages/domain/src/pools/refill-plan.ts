/** The state of a pool for a refill: see `PoolToRefill` of the store. */
export type PoolToDerive = {
  /** First index that is not derived. */
  derivedUntil: number;
  /** Highest index that may be leased now. */
  highestIndex: number;
  gapLimit: number;
  isOwned: boolean;
  /** Addresses that were derived and never leased. */
  unleased: number;
};

/** Addresses derived by one job of one account; other accounts get their turn after a few tenths of a second. */
export const REFILL_BATCH = 200;
/** Addresses derived beyond the window, so that they are ready when a payment moves it. */
const DERIVED_AHEAD = 100;
/** The number of addresses that the first invoices of a window need. */
const FIRST_WINDOW = 20;
/** A pool with fewer addresses may run out before its turn comes. */
const FEW_UNLEASED = 50;
/** The last index that is not hardened (BIP 32). */
const HIGHEST_INDEX = 2_147_483_647;

/** How many addresses one batch derives from `derivedUntil` on, at most `room`; 0: none. Pure. */
export function planBatch(pool: PoolToDerive, room: number): number {
  if (isDerived(pool)) return 0;
  // Registering a key costs nothing, so for an unverified key only the addresses of its first invoices are derived.
  const ahead = pool.isOwned ? DERIVED_AHEAD : 0;
  const end = Math.min(pool.highestIndex + 1 + ahead, HIGHEST_INDEX + 1);
  return Math.max(0, Math.min(end - pool.derivedUntil, REFILL_BATCH, room));
}

/** Whether every index that may be leased now is derived. Pure. */
export function isDerived({ derivedUntil, highestIndex }: PoolToDerive): boolean {
  return derivedUntil > Math.min(highestIndex, HIGHEST_INDEX);
}

/** Whether invoices may soon find no address; the batch then does not wait for the account's turn. Pure. */
export function isNeededNow(pool: PoolToDerive): boolean {
  const firstUsable = pool.highestIndex - pool.gapLimit + 1;
  return !isDerived(pool) && (pool.derivedUntil < firstUsable + FIRST_WINDOW || pool.unleased < FEW_UNLEASED);
}
