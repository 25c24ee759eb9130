/** The difference between two reads of a mempool. */
export type MempoolDiff = { arrived: string[]; gone: string[] };

/** Compares a known mempool with the current one. The reason why a transaction is `gone` is not known. */
export function diffMempool(known: ReadonlySet<string>, current: Iterable<string>): MempoolDiff {
  const now = new Set(current);
  return {
    arrived: [...now].filter((txid) => !known.has(txid)),
    gone: [...known].filter((txid) => !now.has(txid)),
  };
}
