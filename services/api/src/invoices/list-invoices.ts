import type { ListInvoicesQuery } from '@paywatch/domain/contract';
import { buildOwnerView } from '@paywatch/domain/invoices';
import { showDonations } from '@paywatch/store/donations';
import { hasInvoice, listInvoices as list, type InvoiceFilter } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { pageOf, unknownCursor } from '../page.ts';

/** The invoices of a project, newest first, by filter. */
export function listInvoices({ store, invoiceSettings }: Dependencies): OperationHandler<'listInvoices'> {
  return async ({ caller: { projectId }, query }) => {
    const { limit, cursor: after = null } = query;
    const page = { limit: limit + 1, after };
    const found = await store.readLists((from) =>
      list(from, projectId, filterOf(query), page, invoiceSettings),
    );
    const invoices = await showDonations(store.sql, found, invoiceSettings);
    if (invoices.length === 0 && after !== null && !(await hasInvoice(store, projectId, after))) {
      throw unknownCursor();
    }
    return { status: 200, body: pageOf(invoices.map(buildOwnerView), limit, (last) => last.public_id) };
  };
}

/** The filter of a query. */
export function filterOf(query: Omit<ListInvoicesQuery, 'limit' | 'cursor'>): InvoiceFilter {
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
