import type { ExportInvoicesQuery } from '@paywatch/domain/contract';
import { buildOwnerView } from '@paywatch/domain/invoices';
import { listInvoices } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import { filterOf } from '../invoices/list-invoices.ts';
import type { InvoiceRow } from './invoice-columns.ts';

/** Invoices read at once; the longest page of a list. */
const PAGE = 100;

/**
 * Reads all invoices that match, newest first, page by page. From the primary: on a replica that lags, a page could look like the last
 * one.
 */
export async function* readInvoices(
  { store, invoiceSettings }: Pick<Dependencies, 'store' | 'invoiceSettings'>,
  projectId: bigint,
  query: ExportInvoicesQuery,
): AsyncGenerator<readonly InvoiceRow[]> {
  for (let after: string | null = null; ;) {
    const found = await listInvoices(
      store,
      projectId,
      filterOf(query),
      { limit: PAGE, after },
      invoiceSettings,
    );
    yield found.map((snapshot) => ({ invoice: buildOwnerView(snapshot), explorerUrl: snapshot.explorerUrl }));
    after = found.at(-1)?.publicId ?? null;
    if (found.length < PAGE) return;
  }
}
