import { byCredential } from '@paywatch/store/accounts';
import { deletePaymentLink as deleteLink } from '@paywatch/store/payment-links';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { existing } from './get-payment-link.ts';
import { paymentLinkView } from './payment-link-view.ts';

/** Deletes a payment link. Its page stops working; its invoices stay. */
export function deletePaymentLink({ config, store }: Dependencies): OperationHandler<'deletePaymentLink'> {
  return async ({ caller, params, context }) => {
    const name = { projectId: caller.projectId, publicId: params.linkId };
    const deleted = await deleteLink(store, byCredential(caller, context.address), name);
    return { status: 200, body: paymentLinkView(config, existing(deleted)) };
  };
}
