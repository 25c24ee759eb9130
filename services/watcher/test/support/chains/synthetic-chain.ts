import { meetsTarget, parseBlockHeader } from '@paywatch/domain/chain';
import type { BlockRef } from '@paywatch/store/chain';
import {
  ChainSourceError,
  type ChainSource,
  type SourceFee,
  type SourceHeader,
  type SourceTip,
} from '../../../src/sources/chain-source.ts';
import { merkleRoot } from './invented-blocks.ts';
import { count, makeTransaction, uint32, type SyntheticTransaction } from './synthetic-transaction.ts';

type SyntheticBlock = BlockRef & {
  raw: Buffer;
  header: Buffer;
  transactions: readonly SyntheticTransaction[];
};

/** Blocks below the first one that a test mines: as deep as any reorganisation that is followed. */
const FIRST_BLOCKS = 120;

/**
 * A chain with one mempool in memory, for what no real node can be brought to do at will. Its bytes are real: they go
 * through the same parsers. It reports when transactions entered its mempool and when blocks were mined, by its own clock.
 */
export class SyntheticChain implements ChainSource {
  readonly name = 'synthetic';
  /** Epoch milliseconds; set it to say that things happen at another time. Null: now. */
  timeMs: number | null = null;
  headersAhead = 0;
  isInitialDownload = false;
  network = 'regtest';
  /** The error of a source that has lost its connection. */
  isAway = false;
  /** What happens, once, right before the mempool is listed, and right after. */
  beforeMempool: (() => void) | null = null;
  afterMempool: (() => Promise<void>) | null = null;
  #best: SyntheticBlock[] = [];
  #blocks = new Map<string, SyntheticBlock>();
  #mempool = new Map<string, { transaction: SyntheticTransaction; enteredMs: number }>();

  constructor() {
    for (let height = 0; height < FIRST_BLOCKS; height += 1) this.mine([]);
  }

  get tip(): { height: number; hash: string } {
    const tip = this.#best.at(-1);
    if (!tip) throw new Error('a chain has a block');
    return { height: tip.height, hash: tip.hash };
  }

  get mempool(): SyntheticTransaction[] {
    return [...this.#mempool.values()].map(({ transaction }) => transaction);
  }

  /** Puts the transactions into the mempool; what conflicts with them there is replaced. False: a block forbids it. */
  broadcast(...transactions: SyntheticTransaction[]): boolean {
    return transactions.map((transaction) => this.#enter(transaction)).every(Boolean);
  }

  evict(...transactions: SyntheticTransaction[]): void {
    for (const { txid } of transactions) this.#mempool.delete(txid);
  }

  /** Mines one block; with no list, of all that the mempool holds. What its transactions conflict with is gone. */
  mine(transactions: readonly SyntheticTransaction[] = this.mempool): { height: number; hash: string } {
    const block = this.#build(transactions);
    this.#best.push(block);
    this.#blocks.set(block.hash, block);
    for (const transaction of transactions) {
      this.#mempool.delete(transaction.txid);
      for (const rival of this.#rivalsOf(transaction)) this.#mempool.delete(rival.txid);
    }
    return { height: block.height, hash: block.hash };
  }

  /** Takes the newest blocks off; what they held returns to the mempool, unless that must not be. */
  disconnect(depth: number, { isReturned = true } = {}): SyntheticTransaction[] {
    const gone = this.#best.splice(this.#best.length - depth).flatMap((block) => block.transactions);
    const ordinary = gone.filter(({ spends, parsed }) => spends.length > 0 && !parsed.isHogEx);
    if (isReturned) this.broadcast(...ordinary);
    return ordinary;
  }

  /** Replaces the newest blocks by a branch that is one block longer; its blocks hold these, then nothing. */
  reorganise(depth: number, blocks: readonly (readonly SyntheticTransaction[])[] = []): void {
    this.disconnect(depth);
    for (let index = 0; index <= depth; index += 1) this.mine(blocks[index] ?? []);
  }

  /** Whether a block may hold it: no block does, and none holds what spends the same. */
  accepts(transaction: SyntheticTransaction): boolean {
    const mined = this.#best.flatMap((block) => block.transactions);
    return !mined.some((other) => other === transaction || sharesInput(other, transaction));
  }

  /** The blocks above a height, and what the mempool holds since when; lowest and oldest first. */
  above(height: number) {
    return this.#best.slice(height + 1);
  }

  get entries() {
    return [...this.#mempool.values()];
  }

  #enter(transaction: SyntheticTransaction): boolean {
    if (!this.accepts(transaction)) return false;
    for (const rival of this.#rivalsOf(transaction)) this.#mempool.delete(rival.txid);
    if (!this.#mempool.has(transaction.txid))
      this.#mempool.set(transaction.txid, { transaction, enteredMs: this.#nowMs() });
    return true;
  }

  #rivalsOf(transaction: SyntheticTransaction): SyntheticTransaction[] {
    return this.mempool.filter((other) => other !== transaction && sharesInput(other, transaction));
  }

  #build(given: readonly SyntheticTransaction[]): SyntheticBlock {
    const height = this.#best.length;
    const prevHash = this.#best.at(-1)?.hash ?? '0'.repeat(64);
    const own = given.some(({ parsed }) => parsed.isCoinbase) ? [] : [makeTransaction({ kind: 'coinbase' })];
    const transactions = [...own, ...given];
    const header = mineHeader(prevHash, transactions, Math.floor(this.#nowMs() / 1000));
    const hasHogEx = transactions.some(({ parsed }) => parsed.isHogEx);
    const { hash, timeMs } = parseBlockHeader(header);
    const raw = Buffer.concat([
      header,
      count(transactions.length),
      ...transactions.map((transaction) => transaction.raw),
      ...(hasHogEx ? [Buffer.of(0)] : []),
    ]);
    return { height, hash, prevHash, timeMs, raw, transactions, header };
  }

  #nowMs(): number {
    return this.timeMs ?? Date.now();
  }

  getTip(): Promise<SourceTip> {
    const { height, hash } = this.tip;
    return this.#answer(() => ({
      chain: this.network,
      height,
      hash,
      work: null,
      headers: height + this.headersAhead,
      isInitialDownload: this.isInitialDownload,
      prunedBelow: 0,
    }));
  }

  getHashAt(height: number): Promise<string> {
    return this.#answer(() => this.#known(this.#best[height]).hash);
  }

  getHeader(hash: string): Promise<SourceHeader> {
    return this.#answer(() => {
      const { height, prevHash, timeMs, header } = this.#known(this.#blocks.get(hash));
      return { height, hash, prevHash, timeMs, raw: header };
    });
  }

  getBlock(hash: string): Promise<Uint8Array> {
    return this.#answer(() => this.#known(this.#blocks.get(hash)).raw);
  }

  async listMempool(): Promise<string[]> {
    const { beforeMempool, afterMempool } = this;
    this.beforeMempool = null;
    this.afterMempool = null;
    beforeMempool?.();
    const listed = await this.#answer(() => [...this.#mempool.keys()]);
    await afterMempool?.();
    return listed;
  }

  getMempoolTransactions(txids: readonly string[]): Promise<(Uint8Array | null)[]> {
    return this.#answer(() => txids.map((txid) => this.#mempool.get(txid)?.transaction.raw ?? null));
  }

  getMempoolTimes(txids: readonly string[]): Promise<(number | null)[]> {
    return this.#answer(() => txids.map((txid) => this.#mempool.get(txid)?.enteredMs ?? null));
  }

  estimateFees(): Promise<SourceFee[]> {
    return this.#answer(() => []);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #answer<T>(read: () => T): Promise<T> {
    if (this.isAway) throw new ChainSourceError(`${this.name}: no answer`);
    return read();
  }

  #known(block: SyntheticBlock | undefined): SyntheticBlock {
    if (!block) throw new ChainSourceError(`${this.name}: no such block`, -5);
    return block;
  }
}

function sharesInput(a: SyntheticTransaction, b: SyntheticTransaction): boolean {
  return a.spends.some((spent) => b.spends.includes(spent));
}

/** A header of these transactions that meets regtest's target of bitcoin: every second nonce does. */
function mineHeader(
  prevHash: string,
  transactions: readonly SyntheticTransaction[],
  seconds: number,
): Buffer {
  const header = Buffer.concat([
    uint32(4),
    Buffer.from(prevHash, 'hex').toReversed(),
    merkleRoot(transactions.map(({ txid }) => Buffer.from(Buffer.from(txid, 'hex').toReversed()))),
    uint32(seconds),
    uint32(REGTEST_BITS),
    uint32(0),
  ]);
  for (let nonce = 1; !meetsTarget('BTC', header, REGTEST_BITS); nonce += 1) header.writeUInt32LE(nonce, 76);
  return header;
}

const REGTEST_BITS = 0x207fffff;
