import * as fc from 'fast-check';
import type { PaymentFacts } from '../../src/invoices/payment-facts.ts';

/** A transaction of the model: it spends some of four coins and pays the invoice (`amount` 0: it pays somebody else). */
export type ModelTransaction = { coins: number[]; amount: bigint };

/** What can happen in the model. Numbers pick a transaction or a depth; what is impossible at the moment is left out. */
export type Happening =
  | { kind: 'broadcast'; tx: number }
  | { kind: 'evict'; tx: number }
  | { kind: 'mine'; txs: number[] }
  | { kind: 'reorg'; depth: number }
  | { kind: 'wait'; ms: number };

/** From this time on, a payment of the model's invoice is late. */
export const MODEL_DEADLINE_MS = 60;

/** A chain and one mempool, small enough that everything which can go wrong with a payment soon does. */
export class ChainModel {
  nowMs = 0;
  #blocks: number[][] = [[]];
  #mempool = new Set<number>();
  #firstSeenMs = new Map<number, number>();
  #hasReturned = false;
  readonly #transactions: ModelTransaction[];

  constructor(transactions: ModelTransaction[]) {
    this.#transactions = transactions;
  }

  get tipHeight(): number {
    return this.#blocks.length - 1;
  }

  /** Whether a transaction came back after a conflict of it had been seen. */
  get hasReturned(): boolean {
    return this.#hasReturned;
  }

  apply(happening: Happening): void {
    switch (happening.kind) {
      case 'broadcast':
        return this.#broadcast(happening.tx);
      case 'evict':
        this.#mempool.delete(happening.tx);
        return;
      case 'mine':
        return this.#mine(happening.txs);
      case 'reorg':
        return this.#reorg(happening.depth);
      case 'wait':
        this.nowMs += happening.ms;
        return;
    }
  }

  /** The facts of every payment ever seen, as an observer who missed nothing would store them. */
  payments(isCounted: (outpoint: string) => boolean): PaymentFacts[] {
    return [...this.#firstSeenMs.keys()]
      .filter((tx) => this.#transaction(tx).amount > 0n)
      .map((tx) => this.#facts(tx, isCounted));
  }

  #facts(tx: number, isCounted: (outpoint: string) => boolean): PaymentFacts {
    const conflicts = [...this.#firstSeenMs.keys()].filter((other) => this.#conflict(tx, other));
    const isHere = this.#mempool.has(tx) || this.#heightOf(tx) !== null;
    return {
      txid: `tx${tx}`,
      vout: 0,
      amount: this.#transaction(tx).amount,
      firstSeenMs: this.#firstSeenMs.get(tx) ?? Number.NaN,
      blockHeight: this.#heightOf(tx),
      isVoid: !isHere && conflicts.length > 0,
      conflictsSettled: !isHere && conflicts.some((other) => this.#heightOf(other) !== null),
      isCounted: isCounted(`tx${tx}:0`),
      spends: this.#transaction(tx).coins.map((coin) => `coin:${coin}`),
    };
  }

  #broadcast(tx: number): void {
    if (this.#heightOf(tx) !== null || this.#blocks.flat().some((other) => this.#conflict(tx, other))) return;
    for (const other of this.#mempool) if (this.#conflict(tx, other)) this.#mempool.delete(other);
    this.#see(tx);
    this.#mempool.add(tx);
  }

  #mine(txs: number[]): void {
    const block: number[] = [];
    this.#blocks.push(block);
    for (const tx of txs) {
      if (this.#blocks.flat().some((other) => other === tx || this.#conflict(tx, other))) continue;
      this.#see(tx);
      block.push(tx);
      for (const other of this.#mempool)
        if (other === tx || this.#conflict(tx, other)) this.#mempool.delete(other);
    }
  }

  #reorg(depth: number): void {
    const removed = this.#blocks.splice(Math.max(1, this.#blocks.length - depth));
    for (const tx of removed.flat()) this.#broadcast(tx);
    for (let i = 0; i <= removed.length; i++) this.#blocks.push([]);
  }

  #see(tx: number): void {
    if (!this.#firstSeenMs.has(tx)) this.#firstSeenMs.set(tx, this.nowMs);
    else if ([...this.#firstSeenMs.keys()].some((other) => this.#conflict(tx, other)))
      this.#hasReturned = true;
  }

  #heightOf(tx: number): number | null {
    const height = this.#blocks.findIndex((block) => block.includes(tx));
    return height === -1 ? null : height;
  }

  #conflict(a: number, b: number): boolean {
    return a !== b && this.#transaction(a).coins.some((coin) => this.#transaction(b).coins.includes(coin));
  }

  #transaction(tx: number): ModelTransaction {
    const transaction = this.#transactions[tx];
    if (transaction === undefined) throw new RangeError(`the model has no transaction ${tx}`);
    return transaction;
  }
}

const TRANSACTIONS = 6;
const txArbitrary = fc.nat({ max: TRANSACTIONS - 1 });

/** Six transactions over four coins: conflicts are common. */
export const transactionsArbitrary: fc.Arbitrary<ModelTransaction[]> = fc.array(
  fc.record({
    coins: fc.uniqueArray(fc.nat({ max: 3 }), { minLength: 1, maxLength: 2 }),
    amount: fc.constantFrom(0n, 1n, 400n, 600n, 1000n, 1500n),
  }),
  { minLength: TRANSACTIONS, maxLength: TRANSACTIONS },
);

/** A history with everything in it. */
export const happeningsArbitrary: fc.Arbitrary<Happening[]> = histories([
  fc.record({ kind: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 3 }) }),
]);

/** A history of a chain that never takes a block back. */
export const settledHappeningsArbitrary: fc.Arbitrary<Happening[]> = histories([]);

function histories(more: fc.Arbitrary<Happening>[]): fc.Arbitrary<Happening[]> {
  const happening = fc.oneof(
    fc.record({ kind: fc.constant('broadcast' as const), tx: txArbitrary }),
    fc.record({ kind: fc.constant('broadcast' as const), tx: txArbitrary }),
    fc.record({ kind: fc.constant('mine' as const), txs: fc.array(txArbitrary, { maxLength: 2 }) }),
    fc.record({ kind: fc.constant('mine' as const), txs: fc.array(txArbitrary, { maxLength: 2 }) }),
    fc.record({ kind: fc.constant('evict' as const), tx: txArbitrary }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 60 }) }),
    ...more,
  );
  return fc.array(happening, { minLength: 12, maxLength: 25 });
}
