import { buildOwnerView } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** An invoice as its owner sees it. */
export function getInvoice({ readInvoice }: Dependencies): OperationHandler<'getInvoice'> {
  return async ({ caller, params }) => {
    const invoice = await readInvoice(params.publicId);
    // Another project's invoice gets the same response as an unknown one.
    if (invoice?.projectId !== caller.projectId) throw new AppError('invoice_not_found');
    return { status: 200, body: buildOwnerView(invoice) };
  };
}
