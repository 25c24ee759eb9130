import { z } from 'zod';
import { LIMITS } from '../limits.ts';

/** The response of every list: one page, newest first, and the cursor of the next one. */
export function listOf<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .object({
      data: z.array(item),
      next_cursor: z.string().nullable().meta({ description: 'Pass it as `cursor`; null on the last page.' }),
    })
    .meta({ id });
}

const PAGE_SIZE = LIMITS.pageSize;
const PAGE_SIZE_RULE = `Must be a whole number from ${PAGE_SIZE.min} to ${PAGE_SIZE.max}.`;

/** How many items a page holds, 1 to 100; 50 when omitted. */
const pageSizeSchema = z
  .string()
  .regex(/^[0-9]{1,4}$/, { error: PAGE_SIZE_RULE, abort: true })
  .transform(Number)
  .pipe(z.int().min(PAGE_SIZE.min, PAGE_SIZE_RULE).max(PAGE_SIZE.max, PAGE_SIZE_RULE))
  .default(PAGE_SIZE.default)
  .meta({
    type: 'integer',
    minimum: PAGE_SIZE.min,
    maximum: PAGE_SIZE.max,
    default: PAGE_SIZE.default,
    description: 'Items on a page.',
  });

/** A place in a list. Opaque to callers; what it means is the store's own matter. */
const cursorSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,512}$/, { error: 'Must be a next_cursor of this list.' })
  .optional()
  .meta({ description: 'The `next_cursor` of the page before.' });

/** Query of a list without filters. Unknown parameters are refused: a mistyped filter must not list everything. */
export const listQuerySchema = z.strictObject({ limit: pageSizeSchema, cursor: cursorSchema });
export type ListQuery = z.output<typeof listQuerySchema>;
