import { FILTERS_PREFIX } from '../../app/stored-filters.ts';
import { filtersPath, readFilters } from './invoice-filters.ts';

/** Filters of the invoice list under a name, as the query of the list. */
export type SavedFilters = { readonly name: string; readonly query: string };

/** So many fit above a list. */
export const MAX_SAVED_FILTERS = 20;
/** Characters. */
export const MAX_NAME_LENGTH = 40;

/** Whose filters they are: other members of the project must not see what somebody searched for, in the same browser either. */
export type FilterOwner = { readonly email: string; readonly projectId: string };

function keyOf({ email, projectId }: FilterOwner): string {
  return `${FILTERS_PREFIX}${projectId}.${email}`;
}

/** The saved filters of a member of a project, oldest first. Text that this page did not write counts as none. */
export function readSavedFilters(owner: FilterOwner): readonly SavedFilters[] {
  return parseSavedFilters(localStorage.getItem(keyOf(owner)));
}

/** Saves them. Returns false if the browser refuses to store anything. */
export function writeSavedFilters(owner: FilterOwner, saved: readonly SavedFilters[]): boolean {
  try {
    localStorage.setItem(keyOf(owner), JSON.stringify(saved));
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
