import type { ListInvoicesQuery } from '@paywatch/domain/contract';
import type { Store } from '@paywatch/store';
import {
  listInvoices,
  searchInvoices,
  type FoundInvoices,
  type InvoiceFilter,
  type InvoicePage,
} from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import { searchFor } from './invoice-search.ts';

/** What selects invoices in a list or a file. */
export type InvoiceQuery = Omit<ListInvoicesQuery, 'limit' | 'cursor'>;

/** Reads one page of the invoices that a query selects, newest first. */
export async function readInvoicePage(
  { config, invoiceSettings }: Pick<Dependencies, 'config' | 'invoiceSettings'>,
  from: Pick<Store, 'sql'>,
  projectId: bigint,
  query: InvoiceQuery,
  page: InvoicePage,
): Promise<FoundInvoices> {
  const filter = filterOf(query);
  if (query.search !== undefined) {
    const search = searchFor(config, query.search);
    return searchInvoices(from, projectId, search, filter, page, invoiceSettings);
  }
  // One more than asked for shows that there is a next page.
  const longer = { ...page, limit: page.limit + 1 };
  const found = await listInvoices(from, projectId, filter, longer, invoiceSettings);
  const invoices = found.slice(0, page.limit);
  return { invoices, next: found.length > page.limit ? (invoices.at(-1)?.publicId ?? null) : null };
}

function filterOf(query: InvoiceQuery): InvoiceFilter {
  return {
    status: query.status ?? null,
    type: query.type ?? null,
    currency: query.currency ?? null,
    orderId: query.order_id ?? null,
    isReversed: query.reversed ?? null,
    createdFromMs: query.created_from ?? null,
    createdToMs: query.created_to ?? null,
  };
}
