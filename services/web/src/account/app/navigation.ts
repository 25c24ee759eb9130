import { useEffect, useState } from 'preact/hooks';
import { parseRoute, type Route } from './route.ts';

/** Navigates within the account area without loading a page. */
export type Navigate = (path: string, options?: { replace?: boolean }) => void;

/** The current route, path and query of the URL. */
export type RouterState = {
  readonly route: Route;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The number of navigations since the page was loaded. */
  readonly visit: number;
};

/** Tracks the URL, and handles clicks on links inside the account area without loading a page. */
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

/** The target path of a plain click on a link inside the account area; null where the browser has to handle it. */
function areaPath(event: MouseEvent): string | null {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (link === null || !isPlain || event.defaultPrevented || link.target !== '') return null;
  // A link to an element of this page, such as "Skip to content".
  if (link.hash !== '') return null;
  const isInside = link.origin === location.origin && /^\/account(\/|$)/.test(link.pathname);
  // A change of language needs a new document.
  return isInside && !link.search.includes('lang=') ? link.pathname + link.search : null;
}
