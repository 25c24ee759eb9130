/** One page of a list; `next_cursor` is null on the last page. */
export type Page<Item> = { readonly data: readonly Item[]; readonly next_cursor: string | null };

/**
 * A list that is fetched page by page during iteration, newest first. `for await` iterates over all items; iterating
 * again fetches them again.
 */
export type List<Item> = AsyncIterable<Item> & {
  /** Fetches one page: the first, or the one of a `next_cursor`. */
  page(cursor?: string): Promise<Page<Item>>;
};

/** Creates a list from a function that fetches a page; without a cursor, the first one. */
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
