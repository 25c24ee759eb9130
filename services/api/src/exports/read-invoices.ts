import type { ExportInvoicesQuery } from '@paywatch/domain/contract';
import { buildOwnerView } from '@paywatch/domain/invoices';
import type { FoundInvoices } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import { readInvoicePage } from '../invoices/read-invoice-page.ts';
import type { InvoiceRow } from './invoice-columns.ts';

/** Invoices read at once; the longest page of a list. */
const PAGE = 100;

/**
 * Reads all invoices that match, newest first, page by page. From the primary: on a replica that lags, a page could look like the last
 * one.
 */
export async function* readInvoices(
  dependencies: Pick<Dependencies, 'config' | 'store' | 'invoiceSettings'>,
  projectId: bigint,
  query: ExportInvoicesQuery,
): AsyncGenerator<readonly InvoiceRow[]> {
  for (let after: string | null = null; ;) {
    const page: FoundInvoices = await readInvoicePage(dependencies, dependencies.store, projectId, query, {
      limit: PAGE,
      after,
    });
    yield page.invoices.map((snapshot) => ({
      invoice: buildOwnerView(snapshot),
      explorerUrl: snapshot.explorerUrl,
    }));
    after = page.next;
    if (after === null) return;
  }
}
