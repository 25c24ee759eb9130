import { setImmediate as nextTurn } from 'node:timers/promises';

export type ThrottledBatchesOptions<Item> = {
  /** Largest batch. */
  limit: number;
  /** How many batches are processed at once. The next batch collects meanwhile. */
  concurrency: number;
  /** Must not reject. */
  process(items: readonly Item[]): Promise<void>;
};

/** Deferred items are due up to this much later, so that one timer serves all of them. */
const SWEEP_MS = 50;

/** Processes items in batches. An item can be deferred; it waits at most once, either as due or as deferred. */
export class ThrottledBatches<Item> {
  readonly #options: ThrottledBatchesOptions<Item>;
  readonly #due = new Set<Item>();
  /** When each deferred item is due, by `performance.now()`. */
  readonly #deferred = new Map<Item, number>();
  #sweep: NodeJS.Timeout | null = null;
  #running = 0;
  #isDraining = false;
  #drained = Promise.withResolvers<void>();

  constructor(options: ThrottledBatchesOptions<Item>) {
    this.#options = options;
  }

  /** Processes an item as soon as possible. All items added in one turn of the event loop share a batch. */
  add(item: Item): void {
    // Otherwise the sweep would process it a second time.
    this.#deferred.delete(item);
    this.#due.add(item);
    if (this.#running >= this.#options.concurrency) return;
    this.#running += 1;
    void this.#run();
  }

  /** Processes an item once `performance.now()` reaches `dueMs`. */
  defer(item: Item, dueMs: number): void {
    if (this.#isDraining || dueMs <= performance.now()) {
      this.add(item);
      return;
    }
    this.#deferred.set(item, dueMs);
    if (this.#sweep === null) this.#scheduleSweep();
  }

  /** Drops a deferred item. */
  cancel(item: Item): void {
    this.#deferred.delete(item);
  }

  /** Processes all items without further delay, and later ones as well. Resolves when none is left. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    for (const item of this.#deferred.keys()) this.add(item);
    if (this.#due.size > 0 || this.#running > 0) await this.#drained.promise;
  }

  async #run(): Promise<void> {
    await nextTurn();
    while (this.#due.size > 0) await this.#options.process(takeFirst(this.#due, this.#options.limit));
    this.#running -= 1;
    if (this.#running > 0) return;
    this.#drained.resolve();
    this.#drained = Promise.withResolvers();
  }

  #scheduleSweep(): void {
    this.#sweep = setTimeout(() => {
      this.#sweep = null;
      for (const [item, dueMs] of this.#deferred) if (dueMs <= performance.now()) this.add(item);
      if (this.#deferred.size > 0) this.#scheduleSweep();
    }, SWEEP_MS);
  }
}

function takeFirst<Item>(items: Set<Item>, limit: number): Item[] {
  const taken = [...items.values().take(limit)];
  for (const item of taken) items.delete(item);
  return taken;
}
