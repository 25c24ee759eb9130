import { frameOf, type Frame } from './frame.ts';

/** One thing to tell. `position` is its id, a safe integer, and only grows. */
export type Entry = {
  position: number;
  text: string;
  /** How long a stream stays open after it; null: as long as its client wants. */
  staysMs: number | null;
};

/** What follows a position, in ascending order, as far as it was read. */
export type Page = {
  /** Nothing followed it when it was read. */
  isLast: boolean;
  /** The newest position in it; 0 where it is empty. */
  end: number;
  staysMs: number | null;
  /** All of it that lies after a position. Built once for all who have that one. */
  frameAfter(position: number): Frame;
};

export function pageOf(entries: readonly Entry[], isLast: boolean): Page {
  const frames = new Map<number, Frame>();
  const last = entries.at(-1);
  return {
    isLast,
    end: last?.position ?? 0,
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

function textAfter(entries: readonly Entry[], position: number): string {
  return entries.flatMap((entry) => (entry.position > position ? [entry.text] : [])).join('');
}
