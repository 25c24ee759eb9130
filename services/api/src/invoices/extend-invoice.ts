import { buildOwnerView } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import { byCredential } from '@paywatch/store/accounts';
import { extendInvoice as extend } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Extends the time to pay of an open invoice, once. */
export function extendInvoice({ store, invoiceSettings }: Dependencies): OperationHandler<'extendInvoice'> {
  return async ({ caller, params, context }) => {
    const extension = await extend(
      store,
      byCredential(caller, context.address),
      caller.projectId,
      params.publicId,
      invoiceSettings,
    );
    if (extension.kind !== 'extended') throw new AppError(extension.kind);
    return { status: 200, body: buildOwnerView(extension.invoice) };
  };
}
