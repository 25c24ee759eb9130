import { createSeededRandom } from '@paywatch/dev/testing';

/** One change of a source text: `was` from `start` to `end` becomes `becomes`. */
export type Mutation = {
  start: number;
  end: number;
  was: string;
  becomes: string;
  /** Names the mutation independently of its position, for the list of equivalent ones. */
  name: string;
  line: number;
};

/** A change before it has a name. `within` is the named function or constant that holds it. */
export type Change = { start: number; end: number; becomes: string; within: string };

/** The source text with the mutation. */
export function applyMutation(source: string, { start, end, becomes }: Mutation): string {
  return source.slice(0, start) + becomes + source.slice(end);
}

/** Names changes by where they are and what they do. Equal names of one file are told apart by a number. */
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
      return { start, end, was, becomes, name, line: source.slice(0, start).split('\n').length };
    });
}

/** As many of the items as asked for, chosen by the seed, in their order. All of them where `size` is larger. */
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
