/** Begins the names under which the browser keeps saved filters of the invoice list. */
export const FILTERS_PREFIX = 'paywatch.filters.';

/** Deletes the saved filters of everybody from this browser. */
export function forgetSavedFilters(): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(FILTERS_PREFIX)) localStorage.removeItem(key);
}
