import { createSeededRandom } from '@paywatch/dev/testing';

/** One change of a source text: replaces `was`, from `start` to `end`, by `becomes`. */
export type Mutation = {
  start: number;
  end: number;
  was: string;
  becomes: string;
  /** A name that does not depend on the position, for the list of equivalent mutants. */
  name: string;
  line: number;
};

/** A change without a name. `within` is the function or constant that contains it. */
export type Change = { start: number; end: number; becomes: string; within: string };

/** Applies a mutation to the source text. */
export function applyMutation(source: string, { start, end, becomes }: Mutation): string {
  return source.slice(0, start) + becomes + source.slice(end);
}

/** The line of a position, from 1. */
export function lineOf(source: string, position: number): number {
  return source.slice(0, position).split('\n').length;
}

/** Names changes by their function and text, and numbers equal names in a file. */
export function nameChanges(source: string, changes: readonly Change[]): Mutation[] {
  const uses = new Map<string, number>();
  return changes
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end, becomes, within }) => {
      const was = source.slice(start, end);
      const base = `${within}: ${oneLine(was)} → ${oneLine(becomes)}`;
      const use = (uses.get(base) ?? 0) + 1;
      uses.set(base, use);
      const name = use === 1 ? base : `${base} #${use}`;
      return { start, end, was, becomes, name, line: lineOf(source, start) };
    });
}

/** Chooses `size` items by the seed and keeps their order. Returns all if there are fewer. */
export function sampleOf<Item>(items: readonly Item[], size: number, seed: number): Item[] {
  const random = createSeededRandom(seed);
  const drawn = items.map((item, index) => ({ item, index, lot: random.fraction() }));
  return drawn
    .toSorted((a, b) => a.lot - b.lot)
    .slice(0, size)
    .toSorted((a, b) => a.index - b.index)
    .map(({ item }) => item);
}

const LONGEST_PART = 120;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return '(nothing)';
  return line.length > LONGEST_PART ? `${line.slice(0, LONGEST_PART)}…` : line;
}
