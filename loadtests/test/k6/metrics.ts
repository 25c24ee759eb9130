import { addSample } from './samples.ts';

/** Replaces the module `k6/metrics`: the class that the scripts use. */
export class Counter {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  add(value: number): void {
    addSample(this.#name, value);
  }
}
