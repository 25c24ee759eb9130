import { frameOf, type Frame } from './frame.ts';

/** One thing to tell. `position` is its id, and only grows. */
export type Entry = {
  position: bigint;
  text: string;
  /** How long a stream stays open after it; null: as long as its client wants. */
  staysMs: number | null;
};

/** What follows a position, in ascending order, as far as it was read. */
export type Page = {
  /** Nothing followed it when it was read. */
  isLast: boolean;
  /** The newest position in it; 0 where it is empty. */
  end: bigint;
  staysMs: number | null;
  /** All of it that lies after a position. Built once for all who have that one. */
  frameAfter(position: bigint): Frame;
};

export function pageOf(entries: readonly Entry[], isLast: boolean): Page {
  const frames = new Map<bigint, Frame>();
  const last = entries.at(-1);
  return {
    isLast,
    end: last?.position ?? 0n,
    staysMs: last?.staysMs ?? null,
    frameAfter: (position) => {
      const frame = frames.get(position) ?? frameOf(textAfter(entries, position));
      frames.set(position, frame);
      return frame;
    },
  };
}

/** The page of nothing new. */
export const NOTHING_NEW: Page = pageOf([], true);

function textAfter(entries: readonly Entry[], position: bigint): string {
  return entries.flatMap((entry) => (entry.position > position ? [entry.text] : [])).join('');
}
