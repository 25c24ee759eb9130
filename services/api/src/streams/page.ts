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

/** All there is to tell up to a position, as whoever published it has built it. One object, since such pages come by thousands. */
export class PublishedPage implements Page, Frame {
  readonly isLast = true;
  readonly end: number;
  readonly staysMs: number | null;
  readonly chunk: Buffer;
  readonly isPart: boolean;

  /** `chunk` is a small part of all that arrived with it, unless it was copied. */
  constructor(end: number, staysMs: number | null, chunk: Buffer, isPart = true) {
    this.end = end;
    this.staysMs = staysMs;
    this.chunk = chunk;
    this.isPart = isPart;
  }

  frameAfter(): Frame {
    return this;
  }

  /** What has to wait shall hold no more memory than its own. */
  kept(): PublishedPage {
    return new PublishedPage(this.end, this.staysMs, Buffer.from(this.chunk), false);
  }
}

/** The page of nothing new. */
export const NOTHING_NEW: Page = pageOf([], true);

function textAfter(entries: readonly Entry[], position: number): string {
  return entries.flatMap((entry) => (entry.position > position ? [entry.text] : [])).join('');
}
