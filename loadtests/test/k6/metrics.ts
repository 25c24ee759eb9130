import { addSample } from './samples.ts';

/** Stands in for the module `k6/metrics`: what the scripts use of it. */
export class Counter {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  add(value: number): void {
    addSample(this.#name, value);
  }
}
