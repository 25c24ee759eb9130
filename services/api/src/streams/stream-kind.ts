import type { Page, PublishedPage } from './page.ts';

/** What tells one kind of stream from another. A target is what clients ask for: an invoice, a project's overlay. */
export type StreamKind<Target extends string | bigint> = {
  /** For the log. */
  name: string;
  /** Whether only the newest counts, so that a target that changes all the time is told of now and then; see pace.ts. */
  isPaced: boolean;
  /** Where a publication says that there is something new. */
  channel(target: Target): string;
  /**
   * Where a client that names `lastPosition` begins. Null where it knows all and nothing will follow. Throws AppError
   * where there is no such target.
   */
  begin(target: Target, lastPosition: number | null): Promise<Beginning | null>;
  /** The position that a publication names, from `start` to `end`; null where it says nothing but that there is something to read. */
  publishedPosition(bytes: Buffer, start: number, end: number): number | null;
  /** What there is to tell of it, up to that position; null where that is to be read. */
  publishedPage(bytes: Buffer, start: number, end: number): PublishedPage | null;
  /** What follows a position. Positions become visible in ascending order: whoever has had one has had all below. */
  readAfter(target: Target, position: number): Promise<Page>;
  /** The newest position of each target that has one, by the target as text. One statement. */
  readHeads(targets: readonly Target[]): Promise<ReadonlyMap<string, number>>;
};

/** How a stream begins. */
export type Beginning = {
  /** The first message. */
  greeting: string;
  position: number;
  /** What follows the position, where that was read on the way. */
  page: Page | null;
};

/** What clients are told to wait before they come back; a replica that ends says another time. */
export const RETRY_MS = 3000;
