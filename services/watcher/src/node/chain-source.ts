import type { BlockRef } from '@paywatch/store';

/** What a source says of its best chain. `headers` may be ahead of `height` while blocks are still downloaded. */
export type SourceTip = {
  chain: string;
  height: number;
  headers: number;
  hash: string;
  isInitialDownload: boolean;
  /** Lowest block that a pruned node still has; 0 where nothing was pruned. */
  prunedBelow: number;
};

export type SourceHeader = BlockRef;

/** Answers of an estimator in minimal units for a virtual byte, as decimal strings; null where it has none. */
export type SourceFee = { targetBlocks: number; feeRate: string | null };

/**
 * Where a chain is read from. Every method rejects with ChainSourceError when the source does not answer, answers
 * nonsense or says that it does not know: silence is never read as "no payment".
 */
export type ChainSource = {
  /** Host and port: for logs, without credentials. */
  name: string;
  getTip(): Promise<SourceTip>;
  getHashAt(height: number): Promise<string>;
  getHeader(hash: string): Promise<SourceHeader>;
  /** The serialised block. */
  getBlock(hash: string): Promise<Uint8Array>;
  listMempool(): Promise<string[]>;
  /** Serialised transactions in the order asked for; null for one that has left the mempool meanwhile. */
  getMempoolTransactions(txids: readonly string[]): Promise<(Uint8Array | null)[]>;
  /** When each entered the mempool, epoch milliseconds; null where the source does not say. */
  getMempoolTimes(txids: readonly string[]): Promise<(number | null)[]>;
  estimateFees(targets: readonly number[]): Promise<SourceFee[]>;
  close(): Promise<void>;
};

export class ChainSourceError extends Error {
  override name = 'ChainSourceError';
  /** The code of the node's own error, null where it did not answer. */
  readonly code: number | null;

  constructor(message: string, code: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
