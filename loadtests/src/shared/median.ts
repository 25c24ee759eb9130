import { percentile } from './percentile.ts';

/** The middle value: a pause of the machine in one round does not change it. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
