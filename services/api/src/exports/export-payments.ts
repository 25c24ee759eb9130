import type { Dependencies } from '../dependencies.ts';
import type { StreamHandler } from '../operation-handler.ts';
import { PAYMENT_COLUMNS, type InvoiceRow, type PaymentRow } from './invoice-columns.ts';
import { readInvoices } from './read-invoices.ts';
import { streamFile } from './stream-file.ts';
import { tableFile } from './table-file.ts';

/** Streams the payments of a project's invoices as a file. */
export function exportPayments(dependencies: Dependencies): StreamHandler<'exportPayments'> {
  return async ({ caller: { projectId }, query }, _request, response) => {
    const pages = paymentsOf(readInvoices(dependencies, projectId, query));
    await streamFile(response, {
      name: 'paywatch-payments',
      ...tableFile(query.format, PAYMENT_COLUMNS),
      pages,
    });
  };
}

async function* paymentsOf(pages: AsyncIterable<readonly InvoiceRow[]>): AsyncGenerator<PaymentRow[]> {
  for await (const page of pages)
    yield page.flatMap((row) => row.invoice.payments.map((payment) => ({ ...row, payment })));
}
