/** Mempool transactions as bytes, so that an interrupted read of the mempool can continue. */
export type TransactionCache = {
  get(txid: string): Uint8Array | undefined;
  add(txid: string, bytes: Uint8Array): void;
  /** Drops all others. */
  keepOnly(txids: readonly string[]): void;
};

/** Holds up to `maxBytes`. Once it is full nothing is added, because transactions are read again in the same order. */
export function createTransactionCache(maxBytes: number): TransactionCache {
  const held = new Map<string, Uint8Array>();
  let size = 0;
  const forget = (txid: string, bytes: Uint8Array): void => {
    held.delete(txid);
    size -= bytes.length;
  };
  return {
    get: (txid) => held.get(txid),
    add: (txid, bytes) => {
      if (held.has(txid) || size + bytes.length > maxBytes) return;
      held.set(txid, bytes);
      size += bytes.length;
    },
    keepOnly: (txids) => {
      const wanted = new Set(txids);
      for (const [txid, bytes] of held) if (!wanted.has(txid)) forget(txid, bytes);
    },
  };
}
