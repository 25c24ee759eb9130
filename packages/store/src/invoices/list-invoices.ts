import type { InvoiceStatus, InvoiceType } from '@paywatch/domain/contract';
import { CURRENCIES, type Currency } from '@paywatch/domain/values';
import type { Fragment } from 'postgres';
import type { AnySql } from '../postgres/database.ts';
import { selectSnapshots, type SnapshotSettings, type StoredSnapshot } from './invoice-snapshots.ts';

/** Selects the invoices of a project; null matches everything. Times in epoch milliseconds. */
export type InvoiceFilter = {
  status: InvoiceStatus | null;
  type: InvoiceType | null;
  currency: Currency | null;
  orderId: string | null;
  isReversed: boolean | null;
  /** Inclusive. */
  createdFromMs: number | null;
  /** Exclusive. */
  createdToMs: number | null;
};

/** Matches every invoice of a project. */
export const ANY_INVOICE: InvoiceFilter = {
  status: null,
  type: null,
  currency: null,
  orderId: null,
  isReversed: null,
  createdFromMs: null,
  createdToMs: null,
};

/** `after`: the public id of the last invoice of the previous page; null for the first page. */
export type InvoicePage = { limit: number; after: string | null };

/**
 * Lists the invoices of a project with their payments, newest first, in one statement. All pages cost the same. Empty if
 * `after` is not an invoice of this project; `hasInvoice` distinguishes that from the end of the list.
 */
export async function listInvoices(
  { sql }: { sql: AnySql },
  projectId: bigint,
  filter: InvoiceFilter,
  page: InvoicePage,
  settings: SnapshotSettings,
): Promise<StoredSnapshot[]> {
  return selectSnapshots(sql, pickPage(sql, projectId, filter, page), settings);
}

/** The condition for one page. Its ids are selected in a subquery: a join may be planned as a walk over all invoices. */
function pickPage(sql: AnySql, projectId: bigint, filter: InvoiceFilter, page: InvoicePage): Fragment {
  const { status, type, currency } = filter;
  const range = rangeOf(sql, projectId, filter, page);
  if (filter.orderId !== null) {
    return sql`
      where i.project_id = ${projectId} and i.order_id = ${filter.orderId} ${alike(sql, filter)}
        and i.id > ${range.above} and i.id < ${range.below} ${range.further}`;
  }
  const isInOrder = filter.isReversed === true || [status, type, currency].every((value) => value === null);
  const ids = (isInOrder ? pickInOrder : pickByCombination)(sql, projectId, filter, range);
  return sql`where i.id = any (array(${ids}))`;
}

/**
 * The conditions of a filter on status, type and currency. Names only the columns that it needs: otherwise another index with
 * all of them may look cheaper to the planner.
 */
export function alike(sql: AnySql, { status, type, currency }: InvoiceFilter): Fragment {
  const conditions = [
    status === null ? [] : sql`and i.status = ${status}`,
    type === null ? [] : sql`and i.type = ${type}`,
    currency === null ? [] : sql`and i.currency = ${currency}`,
  ].flat();
  return conditions.length === 0 ? sql`` : sql`${conditions}`;
}

/** Reads the index of ids; reversed invoices are few and have their own index. */
function pickInOrder(sql: AnySql, projectId: bigint, filter: InvoiceFilter, range: Range): Fragment {
  const key = sql`i.project_id, i.id`;
  const inOrder = sql`
    select i.id from invoices i
    where (${key}) > (${projectId}, ${range.above}) and (${key}) < (${projectId}, ${range.below})
      ${alike(sql, filter)} ${range.further}
    order by i.project_id desc, i.id desc`;
  return firstOf(sql, inOrder, range.limit);
}

/**
 * Read in the order of ids alone, a rare combination would be searched among all invoices. So the page is merged from one index
 * range for each matching combination of status, type and currency.
 */
function pickByCombination(sql: AnySql, projectId: bigint, filter: InvoiceFilter, range: Range): Fragment {
  const { status, type, currency } = filter;
  const key = sql`i.project_id, i.status, i.type, i.currency, i.id`;
  const fixed = sql`${projectId}, status.status, type.type, currency.currency`;
  const inOrder = sql`
    select i.id from invoices i
    where (${key}) > (${fixed}, ${range.above}) and (${key}) < (${fixed}, ${range.below}) ${range.further}
    order by i.project_id desc, i.status desc, i.type desc, i.currency desc, i.id desc`;
  return sql`
    select page.id
    from unnest(${status === null ? STATUSES : [status]}::text[]) status,
      unnest(${type === null ? TYPES : [type]}::text[]) type,
      unnest(${currency === null ? CURRENCIES : [currency]}::text[]) currency
    cross join lateral (${firstOf(sql, inOrder, range.limit)}) page
    order by page.id desc limit ${range.limit}`;
}

/**
 * The maximum page length, as a constant in the statement: the planner does not know the requested limit, and would plan for a
 * tenth of all rows.
 */
const LONGEST_PAGE = 101;

function firstOf(sql: AnySql, inOrder: Fragment, limit: number): Fragment {
  return sql`select longest.id from (${inOrder} limit ${sql.unsafe(String(LONGEST_PAGE))}) longest limit ${limit}`;
}

const STATUSES: InvoiceStatus[] = ['new', 'pending', 'confirmed', 'underpaid', 'expired', 'late_payment'];
const TYPES: InvoiceType[] = ['order', 'donation'];

type Range = ReturnType<typeof rangeOf>;

/**
 * The range of ids of a page, and further conditions. Both ends are compared with all index columns at once: with `project_id =
 * … and id < …` a page may be planned over everybody's invoices, by the index of ids alone.
 */
export function rangeOf(
  sql: AnySql,
  projectId: bigint,
  filter: InvoiceFilter,
  { after, limit }: InvoicePage,
) {
  const { isReversed, createdFromMs: from, createdToMs: to } = filter;
  const further = [
    isReversed === null ? [] : isReversed ? sql`and i.reversed` : sql`and not i.reversed`,
    // `is not true` keeps the planner from the index of times, with which it would read and sort the whole range for each page.
    from === null ? [] : sql`and (i.created_at < ${new Date(from)}) is not true`,
    to === null ? [] : sql`and (i.created_at >= ${new Date(to)}) is not true`,
  ].flat();
  const last = sql`9223372036854775807`;
  const beforeCursor = after === null ? last : sql`coalesce((${idOf(sql, projectId, after)}), 0)`;
  return {
    limit,
    above: from === null ? sql`0` : sql`coalesce((${createdBefore(sql, projectId, new Date(from))}), 0)`,
    below: sql`least(${beforeCursor}, ${to === null ? last : sql`coalesce((${createdAfter(sql, projectId, new Date(to))}), ${last})`})`,
    further: further.length === 0 ? sql`` : sql`${further}`,
  };
}

/**
 * Translates a time into an id, so that newer invoices are not read and discarded. An invoice gets its id within seconds of its
 * created_at (the statement timeout), so an invoice that is one minute older has a smaller id.
 */
function createdBefore(sql: AnySql, projectId: bigint, from: Date) {
  return sql`select id from invoices
    where project_id = ${projectId} and created_at < ${from}::timestamptz - interval '1 minute'
    order by created_at desc limit 1`;
}

function createdAfter(sql: AnySql, projectId: bigint, to: Date) {
  return sql`select id from invoices
    where project_id = ${projectId} and created_at > ${to}::timestamptz + interval '1 minute'
    order by created_at limit 1`;
}

/** Whether the project has this invoice. */
export async function hasInvoice(
  { sql }: { sql: AnySql },
  projectId: bigint,
  publicId: string,
): Promise<boolean> {
  const rows = await idOf(sql, projectId, publicId);
  return rows.length > 0;
}

function idOf(sql: AnySql, projectId: bigint, publicId: string) {
  return sql`select id from invoices where public_id = ${publicId} and project_id = ${projectId}`;
}
