/** Remembers names for a time, and for at most twice that; takes as much memory as the names of that time. */
export class RecentNames {
  readonly #forMs: number;
  #newer = new Set<string>();
  #older = new Set<string>();
  #turnsAtMs = 0;

  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  /** `nowMs` is of a clock that never goes back; so below. */
  add(names: Iterable<string>, nowMs: number): void {
    this.#turn(nowMs);
    for (const name of names) this.#newer.add(name);
  }

  has(name: string, nowMs: number): boolean {
    this.#turn(nowMs);
    return this.#newer.has(name) || this.#older.has(name);
  }

  #turn(nowMs: number): void {
    if (nowMs < this.#turnsAtMs) return;
    this.#older = nowMs < this.#turnsAtMs + this.#forMs ? this.#newer : new Set();
    this.#newer = new Set();
    this.#turnsAtMs = nowMs + this.#forMs;
  }
}
