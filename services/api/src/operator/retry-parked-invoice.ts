import { AppError } from '@paywatch/domain/requests';
import { byRecentOperatorProof } from '@paywatch/store/accounts';
import { retryParkedInvoice as retry } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { parkedInvoiceView } from './parked-invoice-view.ts';

/** Has a parked invoice decided within seconds. */
export function retryParkedInvoice({ store }: Dependencies): OperationHandler<'retryParkedInvoice'> {
  return async ({ caller, params: { publicId }, context }) => {
    const parked = await retry(store, byRecentOperatorProof(caller, context.address), publicId);
    if (parked === null) throw new AppError('invoice_not_found', 'No invoice with this public_id is parked.');
    return { status: 200, body: parkedInvoiceView(parked) };
  };
}
