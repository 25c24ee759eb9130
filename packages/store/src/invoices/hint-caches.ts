import { leasesAs, type NewInvoice } from './new-invoice.ts';

/** The pool that last served a project's currency, and indexes of it that this process may try first. */
export type HintCache = {
  readonly poolId: bigint;
  readonly isOwner: boolean;
  /** Taken out of Redis by this process, so nobody else gets them. Best first. */
  readonly indexes: number[];
  /** How many to hold if Redis has them. */
  batch: number;
  /** Whether hints are being fetched. */
  isTaking: boolean;
};

type ForWhom = Pick<NewInvoice, 'projectId' | 'currency' | 'type' | 'creator'>;

/** A few megabytes at most. A dropped project costs one creation without a hint. */
const MAX_STOCKS = 50_000;
/** With this, a shop with occasional sales fetches hints for every other sale. */
const FIRST_BATCH = 4;
/** Bounds the concurrent creations of one project that get a hint; further ones do without. */
const MAX_BATCH = 32;

/**
 * Hints that this process holds in advance, so that a creation starts with Postgres at once and fetches the next hints in
 * parallel to the response. They are lost with the process; the next refill lists them again.
 */
export function createHintCaches() {
  const stocks = new Map<string, HintCache>();
  return {
    find: (invoice: ForWhom): HintCache | null => stocks.get(keyOf(invoice)) ?? null,
    /** Another pool means another wallet, whose hints replace the old ones. */
    open: (invoice: ForWhom, poolId: bigint, isOwner: boolean): HintCache => {
      const known = stocks.get(keyOf(invoice));
      if (known?.poolId === poolId && known.isOwner === isOwner) return known;
      if (stocks.size >= MAX_STOCKS) stocks.clear();
      const stock = { poolId, isOwner, indexes: [], batch: FIRST_BATCH, isTaking: false };
      stocks.set(keyOf(invoice), stock);
      return stock;
    },
  };
}

/** How many hints to fetch: none while half of them are left, and twice as many as before if a creation found none. */
export function countHintsToFetch(stock: HintCache, hintedIndex: number | null): number {
  if (hintedIndex === null) stock.batch = Math.min(2 * stock.batch, MAX_BATCH);
  const missing = stock.batch - stock.indexes.length;
  return missing >= stock.batch / 2 && !stock.isTaking ? missing : 0;
}

/** Removes an index that was leased without a hint. */
export function dropHint({ indexes }: HintCache, index: number): void {
  const position = indexes.indexOf(index);
  if (position !== -1) indexes.splice(position, 1);
}

function keyOf(invoice: ForWhom): string {
  return `${invoice.currency} ${leasesAs(invoice)} ${invoice.projectId}`;
}
