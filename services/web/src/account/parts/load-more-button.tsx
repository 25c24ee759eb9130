import { useRef } from 'preact/hooks';
import { useAccount } from '../app/account-context.ts';
import type { Pages } from '../api/use-pages.ts';
import { ProblemNotice } from './form/form.tsx';

type Props<Item> = { pages: Pages<Item>; label?: string | undefined };

/** Loads the next page of a list and focuses its first row. Renders nothing on the last page. */
export function LoadMoreButton<Item>({ pages, label }: Props<Item>) {
  const { texts } = useAccount();
  const button = useRef<HTMLButtonElement>(null);
  if (!pages.hasMore) return null;
  const more = async () => {
    const body = button.current?.closest('.panel')?.querySelector('tbody');
    const shown = body?.rows.length ?? 0;
    await pages.loadMore();
    requestAnimationFrame(() => body?.rows[shown]?.querySelector('a')?.focus());
  };
  return (
    <>
      <ProblemNotice problem={pages.moreProblem} />
      <button
        type="button"
        class="button"
        ref={button}
        aria-disabled={pages.isLoadingMore}
        data-testid="load-more"
        onClick={() => void more()}
      >
        {label ?? texts.common.more}
      </button>
    </>
  );
}
