import { useAccount } from '../account-context.ts';
import type { Pages } from '../use-pages.ts';

/** Loads the next page of a list; nothing where there is none. */
export function MoreButton<Item>({ pages }: { pages: Pages<Item> }) {
  const { texts } = useAccount();
  if (!pages.hasMore) return null;
  return (
    <button
      type="button"
      class="button"
      disabled={pages.isLoadingMore}
      data-testid="load-more"
      onClick={() => void pages.loadMore()}
    >
      {texts.common.more}
    </button>
  );
}
