import { useEffect, useState } from 'preact/hooks';
import type { ApiProblem, ApiResult } from './api-call.ts';
import { useLoad, type Loaded } from './use-load.ts';

type Page<Item> = { readonly data: readonly Item[]; readonly next_cursor: string | null };

/** A list that is loaded page by page. */
export type Pages<Item> = Loaded<readonly Item[]> & {
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Why the next page could not be loaded. */
  readonly moreProblem: ApiProblem | null;
  readonly loadMore: () => Promise<void>;
};

/** Loads the first page when one of `dependencies` changes, and further pages on `loadMore`. */
export function usePages<Item>(
  load: (cursor: string) => Promise<ApiResult<Page<Item>>>,
  dependencies: readonly unknown[],
): Pages<Item> {
  const first = useLoad(() => load(''), dependencies);
  const [more, setMore] = useState<readonly Page<Item>[]>([]);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [moreProblem, setMoreProblem] = useState<ApiProblem | null>(null);
  // The cursors belong to the previous first page, so further pages are dropped when the first one changes.
  useEffect(() => setMore([]), [first.value]);
  const cursor = (more.at(-1) ?? first.value)?.next_cursor ?? null;
  const loadMore = async () => {
    if (cursor === null || isLoadingMore) return;
    setLoadingMore(true);
    const result = await load(cursor);
    setLoadingMore(false);
    setMoreProblem(result.ok ? null : result.problem);
    if (result.ok) setMore((before) => [...before, result.value]);
  };
  const value = first.value === null ? null : [first.value, ...more].flatMap(({ data }) => data);
  return { ...first, value, hasMore: cursor !== null, isLoadingMore, moreProblem, loadMore };
}
