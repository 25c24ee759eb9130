/** One page of a list. */
export type Page<Item> = { readonly data: readonly Item[]; readonly next_cursor: string | null };

/**
 * A list that is read as it is gone through, newest first, one page at a time; `for await` goes through all of it.
 * Going through it again reads it again.
 */
export type List<Item> = AsyncIterable<Item> & {
  /** One page: the first, or the one that `next_cursor` of another named. */
  page(cursor?: string): Promise<Page<Item>>;
};

/** A list over whatever reads its pages; no cursor reads the first one. */
export function listOver<Item>(page: (cursor?: string) => Promise<Page<Item>>): List<Item> {
  return {
    page,
    async *[Symbol.asyncIterator]() {
      let cursor: string | undefined;
      do {
        const { data, next_cursor: next } = await page(cursor);
        yield* data;
        cursor = next ?? undefined;
      } while (cursor);
    },
  };
}
