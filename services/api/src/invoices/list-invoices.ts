import { buildOwnerView } from '@paywatch/domain/invoices';
import { showDonations } from '@paywatch/store/donations';
import { hasInvoice } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { unknownCursor } from '../page.ts';
import { readInvoicePage } from './read-invoice-page.ts';

/** The invoices of a project, newest first, by filter or search. */
export function listInvoices(dependencies: Dependencies): OperationHandler<'listInvoices'> {
  const { store, invoiceSettings } = dependencies;
  return async ({ caller: { projectId }, query }) => {
    const { limit, cursor: after = null } = query;
    const found = await store.readLists((from) =>
      readInvoicePage(dependencies, from, projectId, query, { limit, after }),
    );
    const invoices = await showDonations(store.sql, found.invoices, invoiceSettings);
    if (invoices.length === 0 && after !== null && !(await hasInvoice(store, projectId, after))) {
      throw unknownCursor();
    }
    return { status: 200, body: { data: invoices.map(buildOwnerView), next_cursor: found.next } };
  };
}
