import { buildPublicView } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** An invoice as its payer sees it. */
export function getPublicInvoice({ readInvoice }: Dependencies): OperationHandler<'getPublicInvoice'> {
  return async ({ params }) => {
    const invoice = await readInvoice(params.publicId);
    if (invoice === null) throw new AppError('invoice_not_found');
    return { status: 200, body: buildPublicView(invoice) };
  };
}
