import type { AppError } from '@paywatch/domain/requests';
import { invalidField } from './invalid-field.ts';

/** Returns one page of a list. The caller reads `limit + 1` items: the extra one shows that there is a next page. */
export function pageOf<Item>(
  items: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => string,
): { data: Item[]; next_cursor: string | null } {
  const data = items.slice(0, limit);
  const last = data.at(-1);
  return { data, next_cursor: items.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** The error for a cursor that this list did not return. */
export function unknownCursor(): AppError {
  return invalidField('query.cursor', 'Must be a next_cursor of this list.');
}
