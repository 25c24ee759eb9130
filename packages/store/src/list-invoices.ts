import { CURRENCIES, type Currency, type InvoiceStatus, type InvoiceType } from '@paywatch/domain';
import type { Fragment } from 'postgres';
import type { AnySql } from './database.ts';
import { selectSnapshots, type SnapshotSettings, type StoredSnapshot } from './invoice-snapshots.ts';

/** Which invoices of a project are listed; what is null does not matter. Times in epoch milliseconds. */
export type InvoiceFilter = {
  status: InvoiceStatus | null;
  type: InvoiceType | null;
  currency: Currency | null;
  orderId: string | null;
  isReversed: boolean | null;
  /** Created then or later. */
  createdFromMs: number | null;
  /** Created before. */
  createdToMs: number | null;
};

/** `after`: the public id of the last invoice of the page before; null for the first page. */
export type InvoicePage = { limit: number; after: string | null };

/**
 * Invoices of a project, newest first, with their payments, in one statement. A page costs the same however deep it
 * lies. Empty after an `after` that is not of this project: `hasInvoice` tells that from the end of the list.
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

/**
 * Read in the order of ids alone, a filter that few invoices fit would be looked for among all of them. So the page is put
 * together from one for each combination of status, type and currency that fits: each is a range of one index. An order_id names
 * one row; reversed ones are few, and have an index of their own.
 */
function pickPage(sql: AnySql, projectId: bigint, filter: InvoiceFilter, page: InvoicePage): Fragment {
  const { status, type, currency } = filter;
  const range = rangeOf(sql, projectId, filter, page);
  const alike = sql`(${status}::text is null or i.status = ${status}) and (${type}::text is null or i.type = ${type})
    and (${currency}::text is null or i.currency = ${currency})`;
  if (filter.orderId !== null) {
    return sql`
      where i.project_id = ${projectId} and i.order_id = ${filter.orderId} and ${alike}
        and i.id > ${range.above} and i.id < ${range.below} ${range.further}`;
  }
  const isPlain = status === null && type === null && currency === null;
  if (isPlain || filter.isReversed === true) {
    const key = sql`i.project_id, i.id`;
    return sql`
      where (${key}) > (${projectId}, ${range.above}) and (${key}) < (${projectId}, ${range.below})
        and ${alike} ${range.further}
      order by i.project_id desc, i.id desc limit ${page.limit}`;
  }
  const key = sql`i.project_id, i.status, i.type, i.currency, i.id`;
  const fixed = sql`${projectId}, status.status, type.type, currency.currency`;
  return sql`where i.id in (
    select page.id
    from unnest(${status === null ? STATUSES : [status]}::text[]) status,
      unnest(${type === null ? TYPES : [type]}::text[]) type,
      unnest(${currency === null ? CURRENCIES : [currency]}::text[]) currency
    cross join lateral (
      select i.id from invoices i
      where (${key}) > (${fixed}, ${range.above}) and (${key}) < (${fixed}, ${range.below}) ${range.further}
      order by i.project_id desc, i.status desc, i.type desc, i.currency desc, i.id desc limit ${page.limit}
    ) page
    order by page.id desc limit ${page.limit})`;
}

const STATUSES: InvoiceStatus[] = ['new', 'pending', 'confirmed', 'underpaid', 'expired', 'late_payment'];
const TYPES: InvoiceType[] = ['order', 'donation'];

/**
 * Between which ids a page lies, and what else holds in it. Both ends are compared with all columns of the index at once: as
 * `project_id = … and id < …` a page may be planned over the invoices of everybody, by the index of ids alone.
 */
function rangeOf(sql: AnySql, projectId: bigint, filter: InvoiceFilter, { after }: InvoicePage) {
  const { isReversed, createdFromMs: from, createdToMs: to } = filter;
  const further = [
    isReversed === null ? [] : isReversed ? sql`and i.reversed` : sql`and not i.reversed`,
    from === null ? [] : sql`and i.created_at >= ${new Date(from)}`,
    to === null ? [] : sql`and i.created_at < ${new Date(to)}`,
  ].flat();
  const last = sql`9223372036854775807`;
  const beforeCursor = after === null ? last : sql`coalesce((${idOf(sql, projectId, after)}), 0)`;
  return {
    above: from === null ? sql`0` : sql`coalesce((${createdBefore(sql, projectId, new Date(from))}), 0)`,
    below: sql`least(${beforeCursor}, ${to === null ? last : sql`coalesce((${createdAfter(sql, projectId, new Date(to))}), ${last})`})`,
    further: further.length === 0 ? sql`` : sql`${further}`,
  };
}

/**
 * The list is ordered by id, and a range of times must not be found by reading past all that is newer. An invoice gets
 * its id within seconds of its created_at (the statement timeout), so one created a minute earlier has a smaller id.
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
