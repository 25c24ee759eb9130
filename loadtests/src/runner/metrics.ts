import { addSample } from './samples.ts';

/** Replaces the module `k6/metrics`: the classes that the scripts use. */
export class Counter {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  add(value: number): void {
    addSample(this.#name, value);
  }
}

/** A metric of durations. */
export class Trend extends Counter {}
