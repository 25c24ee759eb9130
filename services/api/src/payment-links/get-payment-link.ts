import { AppError } from '@paywatch/domain/requests';
import { findPaymentLink, type PaymentLink } from '@paywatch/store/payment-links';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { paymentLinkView } from './payment-link-view.ts';

/** One payment link. */
export function getPaymentLink({ config, store }: Dependencies): OperationHandler<'getPaymentLink'> {
  return async ({ caller, params }) => {
    const link = await findPaymentLink(store, caller.projectId, params.linkId);
    return { status: 200, body: paymentLinkView(config, existing(link)) };
  };
}

/** Throws AppError `payment_link_not_found` for null. */
export function existing(link: PaymentLink | null): PaymentLink {
  if (link === null) throw new AppError('payment_link_not_found');
  return link;
}
