import type { ParsedTransaction } from '@paywatch/domain/chain';

/**
 * An index of the outputs in a source's mempool, by eight bytes of each scriptPubKey. Without it, a payment to a script that is
 * derived after the transaction was read would be missed. The leader maintains it while it reads the mempool.
 *
 * A full mempool has 300,000 transactions with 1,000,000 outputs: 24 bytes for each output and about 100 for each transaction.
 */
export type MempoolOutputs = {
  /** The whole mempool and all blocks were read: a script that is not found is paid by no mempool transaction. */
  readonly isComplete: boolean;
  /** Adds the outputs of a transaction. Safe to repeat. */
  add(transaction: ParsedTransaction): void;
  /** The added transactions that may pay this script. Empty: none of them does. */
  find(script: Uint8Array): string[];
  /**
   * Drops all other transactions. Call it with the txids of a complete mempool, which were all added, once every block is read.
   */
  complete(txids: ReadonlySet<string>): void;
};

export function createMempoolOutputs(): MempoolOutputs {
  let isComplete = false;
  let table = createTable(INITIAL_OUTPUTS);
  /** By transaction number; undefined once dropped. */
  let txids: (string | undefined)[] = [];
  let numbers = new Map<string, number>();

  const forget = (kept: ReadonlySet<string>): void => {
    for (const [txid, number] of numbers) {
      if (kept.has(txid)) continue;
      txids[number] = undefined;
      numbers.delete(txid);
    }
    // Otherwise the entries of dropped transactions would accumulate.
    if (txids.length > 2 * numbers.size + INITIAL_OUTPUTS) compact();
  };
  const compact = (): void => {
    const old = { table, txids };
    [table, txids, numbers] = [createTable(old.table.size / 2), [], new Map()];
    const renumbered = old.txids.map((txid) => (txid === undefined ? undefined : enter(txid)));
    old.table.forEach((low, high, number) => {
      const renamed = renumbered[number];
      if (renamed !== undefined) table = table.with(low, high, renamed);
    });
  };
  const enter = (txid: string): number => {
    const number = txids.push(txid) - 1;
    numbers.set(txid, number);
    return number;
  };

  return {
    get isComplete() {
      return isComplete;
    },
    add: (transaction) => {
      if (numbers.has(transaction.txid)) return;
      const number = enter(transaction.txid);
      transaction.concerns({
        mayPay: (bytes, start, end) => {
          if (hasHash(start, end))
            table = table.with(wordAt(bytes, end - 10), wordAt(bytes, end - 6), number);
          return false;
        },
        maySpend: () => false,
      });
    },
    find: (script) => {
      if (!hasHash(0, script.length)) return [];
      const [low, high] = [wordAt(script, script.length - 10), wordAt(script, script.length - 6)];
      return [...new Set(table.find(low, high).flatMap((number) => txids[number] ?? []))];
    },
    complete: (kept) => {
      if (numbers.size !== kept.size) forget(kept);
      isComplete = true;
    },
  };
}

const INITIAL_OUTPUTS = 4096;

/** Only scripts of these lengths are derived: P2WPKH, P2SH and P2PKH. In all of them at most two bytes follow the hash. */
function hasHash(start: number, end: number): boolean {
  const length = end - start;
  return length === 22 || length === 23 || length === 25;
}

/** Two words of the hash are as good as random, so they need no further hashing. */
function wordAt(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24)) >>>
    0
  );
}

/** Outputs chained by their hash; only grows. `with` returns the table with one more output, which may be a new table. */
type Table = {
  readonly size: number;
  with(low: number, high: number, number: number): Table;
  find(low: number, high: number): number[];
  forEach(visit: (low: number, high: number, number: number) => void): void;
};

function createTable(expected: number): Table {
  const capacity = 2 ** Math.ceil(Math.log2(Math.max(INITIAL_OUTPUTS, expected)));
  const mask = capacity - 1;
  // One more than the position of a chain's first output; 0: none.
  const heads = new Uint32Array(capacity);
  const next = new Uint32Array(capacity);
  const lows = new Uint32Array(capacity);
  const highs = new Uint32Array(capacity);
  const numbers = new Uint32Array(capacity);
  let size = 0;
  const forEach: Table['forEach'] = (visit) => {
    for (let place = 0; place < size; place += 1)
      visit(lows[place] ?? 0, highs[place] ?? 0, numbers[place] ?? 0);
  };
  const self: Table = {
    get size() {
      return size;
    },
    with: (low, high, number) => {
      if (size === capacity) return grown(self).with(low, high, number);
      [lows[size], highs[size], numbers[size]] = [low, high, number];
      next[size] = heads[low & mask] ?? 0;
      heads[low & mask] = size += 1;
      return self;
    },
    find: (low, high) => {
      const found: number[] = [];
      for (let place = heads[low & mask] ?? 0; place !== 0; place = next[place - 1] ?? 0)
        if (lows[place - 1] === low && highs[place - 1] === high) found.push(numbers[place - 1] ?? 0);
      return found;
    },
    forEach,
  };
  return self;
}

function grown(table: Table): Table {
  let larger = createTable(table.size * 2);
  table.forEach((low, high, number) => (larger = larger.with(low, high, number)));
  return larger;
}
