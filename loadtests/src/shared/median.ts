import { percentile } from './percentile.ts';

/** The middle value, so that a moment in which the machine did something else does not count. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
