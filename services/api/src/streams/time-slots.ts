const SLOT_MS = 25;

/** What is due at some time soon. All that is due within 25 ms has its turn together, by one timer. */
export class TimeSlots<Item> {
  readonly #onDue: (item: Item) => void;
  readonly #slots = new Map<number, Item[]>();
  #size = 0;

  constructor(onDue: (item: Item) => void) {
    this.#onDue = onDue;
  }

  /** How many items wait. */
  get size(): number {
    return this.#size;
  }

  /** Has the item's turn come at `dueMs`, or up to a slot later, on the clock of `performance`. */
  add(item: Item, dueMs: number): void {
    const number = Math.ceil(dueMs / SLOT_MS);
    const slot = this.#slots.get(number);
    this.#size += 1;
    if (slot !== undefined) slot.push(item);
    else {
      this.#slots.set(number, [item]);
      setTimeout(() => this.#end(number), number * SLOT_MS - performance.now());
    }
  }

  /** All items, whose turn will not come any more. */
  takeAll(): Item[] {
    const items = [...this.#slots.values()].flat();
    this.#slots.clear();
    this.#size = 0;
    return items;
  }

  #end(number: number): void {
    const items = this.#slots.get(number) ?? [];
    this.#slots.delete(number);
    this.#size -= items.length;
    for (const item of items) this.#onDue(item);
  }
}
