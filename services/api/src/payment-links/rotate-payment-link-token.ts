import { randomToken } from '@paywatch/runtime/security';
import { byCredential } from '@paywatch/store/accounts';
import { rotatePaymentLinkToken as rotate } from '@paywatch/store/payment-links';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { existing } from './get-payment-link.ts';
import { paymentLinkView } from './payment-link-view.ts';

/** Replaces the URL of a payment link. The old one stops working. */
export function rotatePaymentLinkToken({
  config,
  store,
}: Dependencies): OperationHandler<'rotatePaymentLinkToken'> {
  return async ({ caller, params, context }) => {
    const name = { projectId: caller.projectId, publicId: params.linkId };
    const rotated = await rotate(store, byCredential(caller, context.address), name, randomToken(16));
    return { status: 200, body: paymentLinkView(config, existing(rotated)) };
  };
}
