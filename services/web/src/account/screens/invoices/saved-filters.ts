import { filtersPath, readFilters } from './invoice-filters.ts';

/** Filters of the invoice list under a name, as the query of the list. */
export type SavedFilters = { readonly name: string; readonly query: string };

/** So many fit above a list. */
export const MAX_SAVED_FILTERS = 20;
/** Characters. */
export const MAX_NAME_LENGTH = 40;

/** Kept in this browser: what somebody searches for is theirs, and no other member of the project has to see it. */
function keyOf(projectId: string): string {
  return `paywatch.filters.${projectId}`;
}

/** The saved filters of a project, in the order in which they were saved. What is no filter (any more) is left out. */
export function readSavedFilters(projectId: string): readonly SavedFilters[] {
  return parseSavedFilters(localStorage.getItem(keyOf(projectId)));
}

/** Keeps them. Returns false where the browser keeps nothing. */
export function writeSavedFilters(projectId: string, saved: readonly SavedFilters[]): boolean {
  try {
    localStorage.setItem(keyOf(projectId), JSON.stringify(saved));
    return true;
  } catch {
    return false;
  }
}

/** Pure. */
export function parseSavedFilters(text: string | null): readonly SavedFilters[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? parsed.filter(isSavedFilters).slice(0, MAX_SAVED_FILTERS) : [];
  } catch {
    return [];
  }
}

function isSavedFilters(value: unknown): value is SavedFilters {
  const { name, query } = (value ?? {}) as Partial<Record<keyof SavedFilters, unknown>>;
  return typeof name === 'string' && name !== '' && typeof query === 'string';
}

/** Adds filters under a name, in place of earlier ones of that name; the oldest make room. Pure. */
export function withSaved(saved: readonly SavedFilters[], added: SavedFilters): readonly SavedFilters[] {
  const others = saved.filter(({ name }) => name !== added.name);
  return [...others, added].slice(-MAX_SAVED_FILTERS);
}

/** The path of the list with saved filters. Unknown parts of the query are left out. Pure. */
export function savedPath({ query }: SavedFilters): string {
  return filtersPath(readFilters(new URLSearchParams(query)));
}
