import type { Dependencies } from '../dependencies.ts';
import type { StreamHandler } from '../operation-handler.ts';
import { INVOICE_COLUMNS } from './invoice-columns.ts';
import { readInvoices } from './read-invoices.ts';
import { streamFile } from './stream-file.ts';
import { tableFile } from './table-file.ts';

/** Streams the invoices of a project as a file. */
export function exportInvoices(dependencies: Dependencies): StreamHandler<'exportInvoices'> {
  return async ({ caller: { projectId }, query }, _request, response) => {
    const pages = readInvoices(dependencies, projectId, query);
    await streamFile(response, {
      name: 'paywatch-invoices',
      ...tableFile(query.format, INVOICE_COLUMNS),
      pages,
    });
  };
}
