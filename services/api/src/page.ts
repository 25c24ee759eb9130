import type { AppError } from '@paywatch/domain/requests';
import { invalidField } from './validation-problem.ts';

/** One page of a list, from `limit + 1` items read: the one too many tells that there is a next page. */
export function pageOf<Item>(
  items: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => string,
): { data: Item[]; next_cursor: string | null } {
  const data = items.slice(0, limit);
  const last = data.at(-1);
  return { data, next_cursor: items.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** The answer to a cursor that this list never gave out. */
export function unknownCursor(): AppError {
  return invalidField('query.cursor', 'Must be a next_cursor of this list.');
}
