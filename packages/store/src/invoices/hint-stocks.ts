import type { InvoiceType } from '@paywatch/domain/contract';
import type { Currency } from '@paywatch/domain/values';

/** The pool that serves a project's currency, as last seen here, and indexes of it that this process may try first. */
export type HintStock = {
  readonly poolId: bigint;
  readonly isOwner: boolean;
  /** Taken out of Redis for this process: nobody else is given them. Best first. */
  readonly indexes: number[];
  /** How many are held where Redis has them. */
  batch: number;
  /** Some are on their way. */
  isTaking: boolean;
};

type ForWhom = { projectId: bigint; currency: Currency; type: InvoiceType };

/** A few megabytes at most; a project that drops out costs one creation without a hint. */
const MAX_STOCKS = 50_000;
/** A shop with one sale now and then asks for hints every other time. */
const FIRST_BATCH = 4;
/** As many hints as creations of one project may be under way here at once; more of them do without. */
const MAX_BATCH = 32;

/**
 * Hints that this process holds ahead of demand, so that a creation begins with Postgres at once and asks Redis for the
 * next ones beside the answer. Lost with the process: the next refill names them again.
 */
export function hintStocks() {
  const stocks = new Map<string, HintStock>();
  return {
    find: (invoice: ForWhom): HintStock | null => stocks.get(keyOf(invoice)) ?? null,
    /** Another pool means another wallet: what was held for the old one is worth nothing. */
    open: (invoice: ForWhom, poolId: bigint, isOwner: boolean): HintStock => {
      const known = stocks.get(keyOf(invoice));
      if (known?.poolId === poolId && known.isOwner === isOwner) return known;
      if (stocks.size >= MAX_STOCKS) stocks.clear();
      const stock = { poolId, isOwner, indexes: [], batch: FIRST_BATCH, isTaking: false };
      stocks.set(keyOf(invoice), stock);
      return stock;
    },
  };
}

/** How many hints to ask for: none while half of them are left, and twice as many as before where a creation found none. */
export function hintsToTake(stock: HintStock, hintedIndex: number | null): number {
  if (hintedIndex === null) stock.batch = Math.min(2 * stock.batch, MAX_BATCH);
  const missing = stock.batch - stock.indexes.length;
  return missing >= stock.batch / 2 && !stock.isTaking ? missing : 0;
}

/** Forgets an index that was leased without having been hinted. */
export function dropHint({ indexes }: HintStock, index: number): void {
  const position = indexes.indexOf(index);
  if (position !== -1) indexes.splice(position, 1);
}

function keyOf({ projectId, currency, type }: ForWhom): string {
  return `${currency} ${type} ${projectId}`;
}
