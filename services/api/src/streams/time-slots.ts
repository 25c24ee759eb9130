const SLOT_MS = 25;

/** What is due at some time soon. All that is due within 25 ms has its turn together, by one timer. */
export class TimeSlots<Item> {
  readonly #onDue: (items: readonly Item[]) => void;
  readonly #slots = new Map<number, Item[]>();

  constructor(onDue: (items: readonly Item[]) => void) {
    this.#onDue = onDue;
  }

  /** Has the item's turn come at `dueMs`, or up to a slot later, on the clock of `performance`. */
  add(item: Item, dueMs: number): void {
    const number = Math.ceil(dueMs / SLOT_MS);
    const slot = this.#slots.get(number);
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
    return items;
  }

  #end(number: number): void {
    const items = this.#slots.get(number);
    this.#slots.delete(number);
    if (items !== undefined) this.#onDue(items);
  }
}
