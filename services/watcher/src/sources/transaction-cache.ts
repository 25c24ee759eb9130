/** Bytes of transactions that a mempool holds, so that reading it goes on where it was cut short. */
export type TransactionCache = {
  get(txid: string): Uint8Array | undefined;
  add(txid: string, bytes: Uint8Array): void;
  /** Forgets what is not among these. */
  keepOnly(txids: readonly string[]): void;
};

/** Holds up to `maxBytes`, and nothing more once it is full: what was read first is asked for first again. */
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
