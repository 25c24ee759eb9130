import type { BlockPlace } from '@paywatch/domain/chain';
import type { BlockRef } from '@paywatch/store/chain';

/** The best chain that a source reports. `headers` may be ahead of `height` while blocks are still downloaded. */
export type SourceTip = {
  chain: string;
  height: number;
  headers: number;
  hash: string;
  /**
   * The chainwork that the source reports; null if it reports none. For a source from a pool: the sum over validated headers,
   * which is comparable between the sources of the pool.
   */
  work: bigint | null;
  isInitialDownload: boolean;
  /** Lowest block that a pruned node still has; 0 if nothing was pruned. */
  prunedBelow: number;
  /** Another source has had more validated work for so long that this one may be cut off from its network. */
  isCutOff?: boolean;
};

/** A block header with its position and its 80 bytes. */
export type SourceHeader = BlockRef & { raw: Uint8Array };

/** A fee estimate in minimal units per virtual byte, as a decimal string; null if there is none. */
export type SourceFee = { targetBlocks: number; feeRate: string | null };

/** Two URLs with equal traits, whose servers started at the same time, may be one server. */
export type SourceIdentity = { traits: string; startedMs: number | null };

/** An address with its scriptPubKey: sources look up one or the other. */
export type SourceAddress = { address: string; script: Uint8Array };

/**
 * What an address has received, as far as the source knows: in a best-chain block, or in a mempool only. From a node's unspent
 * outputs, `none` may also mean that everything was spent again.
 */
export type AddressHistory = 'confirmed' | 'unconfirmed' | 'none';

/** Receives notifications of a source. Called from a loop that must not wait: store the notification and return. */
export type SourceListener = {
  /** A serialised transaction that entered the mempool, or was connected or disconnected with a block; check before use. */
  onTransaction(raw: Uint8Array): void;
  /** The best chain moved, or notifications were lost: poll everything. */
  onChange(): void;
  /** Listening failed and has ended. */
  onFault(error: unknown): void;
};

/**
 * A source of chain data. Every method rejects with ChainSourceError if the source does not respond, sends an invalid response or
 * reports that it does not know: a missing response never means "no payment".
 */
export type ChainSource = {
  /** Host and port, without credentials, for logs. */
  name: string;
  getTip(): Promise<SourceTip>;
  getHashAt(height: number): Promise<string>;
  getHeader(hash: string): Promise<SourceHeader>;
  /** The header at this position of the best chain and up to `count - 1` below it, newest first. Absent: read them one by one. */
  getHeaders?(top: BlockPlace, count: number): Promise<SourceHeader[]>;
  /** The serialised block. */
  getBlock(hash: string): Promise<Uint8Array>;
  listMempool(): Promise<string[]>;
  /** False while a restarted node still loads its mempool from disk. Absent: it is always complete. */
  isMempoolLoaded?(): Promise<boolean>;
  /** Serialised transactions in the order of the txids; null for one that has left the mempool meanwhile. */
  getMempoolTransactions(txids: readonly string[]): Promise<(Uint8Array | null)[]>;
  /** When each transaction entered the mempool, in epoch milliseconds; null if the source does not say. */
  getMempoolTimes(txids: readonly string[]): Promise<(number | null)[]>;
  estimateFees(targets: readonly number[]): Promise<SourceFee[]>;
  /** The source's clock in epoch milliseconds; null if it does not say. Absent: it never does. */
  readClockMs?(): Promise<number | null>;
  /** Properties that differ between two servers of the same chain; null if none is known. */
  identify?(): Promise<SourceIdentity | null>;
  close(): Promise<void>;
  /** The shortest pause between two polls in milliseconds, to spare servers that others pay for. */
  minPauseMs?: number;
  /** Sends notifications until the returned function is called. Absent: the source must be polled. */
  listen?(listener: SourceListener): () => void;
  /** Absent if the source cannot read the history of an address. */
  histories?: AddressHistories;
};

/** Reads the history of addresses that the source does not watch. */
export type AddressHistories = {
  /** The number of addresses that one query can read for hardly more than the cost of one. */
  atOnce: number;
  /** Whether this particular server can read histories. */
  canRead(): Promise<boolean>;
  /** Results in the order of the addresses. May take minutes. */
  read(addresses: readonly SourceAddress[]): Promise<AddressHistory[]>;
};

export class ChainSourceError extends Error {
  override name = 'ChainSourceError';
  /** The node's own error code; null if it did not respond. */
  readonly code: number | null;

  constructor(message: string, code: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * The source sent data that is provably invalid: a header without the required work or target, bytes that do not hash to their
 * name, or transactions that do not match the header. A different tip proves nothing.
 */
export class InvalidSourceDataError extends ChainSourceError {
  override name = 'InvalidSourceDataError';
  /** The name of the source. */
  readonly source: string;
  readonly proof: string;

  constructor(source: string, proof: string) {
    super(`${source}: ${proof}`);
    this.source = source;
    this.proof = proof;
  }
}
