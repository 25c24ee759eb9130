import { byCredential } from '@paywatch/store/accounts';
import { changePaymentLink } from '@paywatch/store/payment-links';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { existing } from './get-payment-link.ts';
import { assertTermsFit, namedTerms } from './link-terms.ts';
import { paymentLinkView } from './payment-link-view.ts';

/** Changes, disables or enables a payment link. */
export function updatePaymentLink({ config, store }: Dependencies): OperationHandler<'updatePaymentLink'> {
  return async ({ caller, params, body, context }) => {
    const name = { projectId: caller.projectId, publicId: params.linkId };
    const changed = await changePaymentLink(store, byCredential(caller, context.address), name, {
      change: namedTerms(config, body),
      check: assertTermsFit,
    });
    return { status: 200, body: paymentLinkView(config, existing(changed)) };
  };
}
