import { useEffect, useState } from 'preact/hooks';
import { parseRoute, type Route } from './route.ts';

/** Goes to a path of the account area without loading the page. */
export type Navigate = (path: string, options?: { replace?: boolean }) => void;

/** The place in the account area, as the address says it, and the query beside it. */
export type RouterState = {
  readonly route: Route;
  readonly path: string;
  readonly query: URLSearchParams;
  /** How often somebody moved since the page was loaded. */
  readonly visit: number;
};

/** Follows the address; links inside the area change it without loading the page. */
export function useRouter(): { router: RouterState; navigate: Navigate } {
  const [router, setRouter] = useState(() => readRouterState(0));
  const navigate: Navigate = (path, { replace = false } = {}) => {
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    setRouter(({ visit }) => readRouterState(visit + 1));
  };
  useEffect(() => {
    const onMove = () => setRouter(({ visit }) => readRouterState(visit + 1));
    const onClick = (event: MouseEvent) => {
      const path = areaPath(event);
      if (path === null) return;
      event.preventDefault();
      navigate(path);
      scrollTo(0, 0);
    };
    addEventListener('popstate', onMove);
    document.addEventListener('click', onClick);
    return () => {
      removeEventListener('popstate', onMove);
      document.removeEventListener('click', onClick);
    };
  }, []);
  return { router, navigate };
}

function readRouterState(visit: number): RouterState {
  const { pathname, search } = location;
  return { route: parseRoute(pathname), path: pathname, query: new URLSearchParams(search), visit };
}

/** Where a plain click on a link of the area leads; null where the browser shall follow it itself. */
function areaPath(event: MouseEvent): string | null {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (link === null || !isPlain || event.defaultPrevented || link.target !== '') return null;
  // To a part of this page, such as from the link that skips the navigation.
  if (link.hash !== '') return null;
  const isInside = link.origin === location.origin && /^\/account(\/|$)/.test(link.pathname);
  // Another language comes with another document.
  return isInside && !link.search.includes('lang=') ? link.pathname + link.search : null;
}
