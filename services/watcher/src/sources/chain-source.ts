import type { BlockPlace } from '@paywatch/domain/chain';
import type { BlockRef } from '@paywatch/store/chain';

/** What a source says of its best chain. `headers` may be ahead of `height` while blocks are still downloaded. */
export type SourceTip = {
  chain: string;
  height: number;
  headers: number;
  hash: string;
  /**
   * The chainwork that the source reports; null where it reports none. Of a source that a pool hands out: the sum over
   * validated headers, which compares with that of every other source of the pool.
   */
  work: bigint | null;
  isInitialDownload: boolean;
  /** Lowest block that a pruned node still has; 0 where nothing was pruned. */
  prunedBelow: number;
  /** Another source has shown more validated work for so long that this one may be cut off from its network. */
  isCutOff?: boolean;
};

/** A block header at its place, with its 80 bytes. */
export type SourceHeader = BlockRef & { raw: Uint8Array };

/** Answers of an estimator in minimal units for a virtual byte, as decimal strings; null where it has none. */
export type SourceFee = { targetBlocks: number; feeRate: string | null };

/** Two URLs with the same traits, whose servers started together, may be one server. */
export type SourceIdentity = { traits: string; startedMs: number | null };

/** An address with its scriptPubKey: sources look up one or the other. */
export type SourceAddress = { address: string; script: Uint8Array };

/**
 * What an address has received, as far as the source can see: in a best-chain block, or in a mempool only.
 * Of a node's unspent outputs `none` may also mean that all was spent again.
 */
export type AddressHistory = 'confirmed' | 'unconfirmed' | 'none';

/** Who wants to hear of news at once. Called from a loop that must not wait: keep what comes, and return. */
export type SourceListener = {
  /** A serialised transaction that entered the mempool, or came or left with a block: ask before you believe. */
  onTransaction(raw: Uint8Array): void;
  /** The best chain moved, or messages were lost: look at everything. */
  onChange(): void;
  /** Listening failed and is given up. */
  onFault(error: unknown): void;
};

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
  /** The header at this place of the best chain and up to `count - 1` below it, newest first. Absent: one by one. */
  getHeaders?(top: BlockPlace, count: number): Promise<SourceHeader[]>;
  /** The serialised block. */
  getBlock(hash: string): Promise<Uint8Array>;
  listMempool(): Promise<string[]>;
  /** False while a node that was just started still loads its mempool from disk. Absent: it is always whole. */
  isMempoolLoaded?(): Promise<boolean>;
  /** Serialised transactions in the order asked for; null for one that has left the mempool meanwhile. */
  getMempoolTransactions(txids: readonly string[]): Promise<(Uint8Array | null)[]>;
  /** When each entered the mempool, epoch milliseconds; null where the source does not say. */
  getMempoolTimes(txids: readonly string[]): Promise<(number | null)[]>;
  estimateFees(targets: readonly number[]): Promise<SourceFee[]>;
  /** What the source's clock says, epoch milliseconds; null where it does not say. Absent: it never does. */
  readClockMs?(): Promise<number | null>;
  /** What differs between two servers of the same chain; null where nothing is known to. */
  identify?(): Promise<SourceIdentity | null>;
  close(): Promise<void>;
  /** The least pause between two looks, milliseconds, where somebody else pays for them. */
  minPauseMs?: number;
  /** Tells of news until the returned function is called. Absent where the source has to be polled. */
  listen?(listener: SourceListener): () => void;
  /** Absent where the source never knows the history of an address. */
  histories?: AddressHistories;
};

/** What a source knows of addresses that nobody told it to watch. */
export type AddressHistories = {
  /** Of how many addresses one question costs hardly more than of one. */
  atOnce: number;
  /** Whether this very source can tell. */
  canRead(): Promise<boolean>;
  /** In the order asked for. May take minutes. */
  read(addresses: readonly SourceAddress[]): Promise<AddressHistory[]>;
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

/**
 * The source proved itself wrong: a header without the work or target that the rules ask for, bytes that do not hash to
 * their name, transactions that are not those of the header. A different tip proves nothing.
 */
export class SourceLieError extends ChainSourceError {
  override name = 'SourceLieError';
  /** The name of the source. */
  readonly source: string;
  readonly proof: string;

  constructor(source: string, proof: string) {
    super(`${source}: ${proof}`);
    this.source = source;
    this.proof = proof;
  }
}
