import type { Fragment } from 'postgres';
import type { AnySql } from '../postgres/database.ts';
import { loadSnapshotsById, type SnapshotSettings, type StoredSnapshot } from './invoice-snapshots.ts';
import { alike, rangeOf, type InvoiceFilter, type InvoicePage } from './list-invoices.ts';

/**
 * What to look for among the invoices of a project. `text` is compared with parts of texts, without regard to case; the amounts with
 * requested and received ones, in minimal units; the prices in the smallest units of their currencies.
 */
export type InvoiceSearch =
  | { by: 'public_id'; publicId: string }
  | { by: 'txid'; txid: string }
  | { by: 'script'; script: Uint8Array }
  | {
      by: 'text';
      text: string;
      amounts: readonly bigint[];
      prices: readonly { currency: string; amount: bigint }[];
    };

/** One page of a search. `next`: the public id to go on after; null if there are no older invoices. */
export type FoundInvoices = { invoices: StoredSnapshot[]; next: string | null };

/** The invoices that one page of a search for text reads; a page costs the same however many the project has. */
export const SEARCHED_AT_ONCE = 5000;

/** Searches the invoices that match the filter, newest first. A page may be empty although older invoices are left. */
export async function searchInvoices(
  { sql }: { sql: AnySql },
  projectId: bigint,
  search: InvoiceSearch,
  filter: InvoiceFilter,
  page: InvoicePage,
  settings: SnapshotSettings,
): Promise<FoundInvoices> {
  const range = rangeOf(sql, projectId, filter, page);
  const candidates = candidatesOf(sql, projectId, search, range);
  const found = await sql<{ id: bigint; public_id: string; matches: boolean; looked: bigint }[]>`
    with candidates as materialized (${candidates}),
    matching as (
      select i.id, i.public_id from candidates i
      where ${matches(sql, search)} ${alike(sql, filter)} ${range.further}
        ${filter.orderId === null ? sql`` : sql`and i.order_id = ${filter.orderId}`}
      order by i.id desc limit ${page.limit + 1}
    )
    select id, public_id, true as matches, 0 as looked from matching
    union all
    select min(id), min(public_id) filter (where id = last), false, count(*)
    from candidates, (select min(id) as last from candidates) last
    order by matches desc, id desc`;
  const looked = found.at(-1);
  const ids = found.filter((row) => row.matches);
  const shown = ids.slice(0, page.limit);
  const invoices = await loadSnapshotsById(
    sql,
    shown.map((row) => row.id),
    settings,
  );
  if (ids.length > page.limit) return { invoices, next: shown.at(-1)?.public_id ?? null };
  return { invoices, next: Number(looked?.looked) === SEARCHED_AT_ONCE ? (looked?.public_id ?? null) : null };
}

/** The invoices that are compared: those that an index names, or the newest of the range. */
function candidatesOf(
  sql: AnySql,
  projectId: bigint,
  search: InvoiceSearch,
  { above, below }: ReturnType<typeof rangeOf>,
): Fragment {
  if (search.by === 'text') {
    return sql`
      select ${compared(sql)} from invoices i
      where (i.project_id, i.id) > (${projectId}, ${above}) and (i.project_id, i.id) < (${projectId}, ${below})
      order by i.project_id desc, i.id desc limit ${sql.unsafe(String(SEARCHED_AT_ONCE))}`;
  }
  return sql`
    select ${compared(sql)} from invoices i
    where ${named(sql, search)} and i.project_id = ${projectId} and i.id > ${above} and i.id < ${below}`;
}

function compared(sql: AnySql): Fragment {
  return sql`i.id, i.public_id, i.status, i.type, i.currency, i.reversed, i.created_at, i.order_id, i.donor_name, i.address,
    i.expected_amount, i.price_currency, i.price_amount`;
}

function named(sql: AnySql, search: Exclude<InvoiceSearch, { by: 'text' }>): Fragment {
  if (search.by === 'public_id') return sql`i.public_id = ${search.publicId}`;
  if (search.by === 'script') {
    return sql`i.id in (select l.invoice_id from address_leases l where l.script = ${search.script})`;
  }
  return sql`i.id in (
    select y.invoice_id from payments y
    where y.currency in ('BTC', 'LTC') and y.txid = decode(${search.txid}, 'hex'))`;
}

function matches(sql: AnySql, search: InvoiceSearch): Fragment {
  if (search.by !== 'text') return sql`true`;
  const part = `%${search.text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const amounts = sql`${search.amounts.map(String)}::text[]::bigint[]`;
  const currencies = search.prices.map(({ currency }) => currency);
  const prices = search.prices.map(({ amount }) => String(amount));
  return sql`(
    i.order_id ilike ${part} or i.donor_name ilike ${part} or i.address ilike ${part} or i.public_id ilike ${part}
    or i.expected_amount = any (${amounts})
    or (i.price_currency, i.price_amount)
      in (select * from unnest(${currencies}::text[], ${prices}::text[]::bigint[]))
    or ${paidWith(sql, search.text, amounts)})`;
}

/** Payments are looked at only if one of them may match. */
function paidWith(sql: AnySql, text: string, amounts: Fragment): Fragment {
  if (!/^[0-9a-f.]{2,64}$/i.test(text)) return sql`false`;
  const txidPart = text.includes('.') ? '' : `%${text.toLowerCase()}%`;
  return sql`exists (
    select from payments y
    where y.invoice_id = i.id and (y.amount = any (${amounts}) or encode(y.txid, 'hex') like ${txidPart}))`;
}
