import { listPaymentLinks as list } from '@paywatch/store/payment-links';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { paymentLinkView } from './payment-link-view.ts';

/** All payment links of a project. */
export function listPaymentLinks({ config, store }: Dependencies): OperationHandler<'listPaymentLinks'> {
  return async ({ caller: { projectId } }) => {
    const links = await store.readLists((from) => list(from, projectId));
    return { status: 200, body: { data: links.map((link) => paymentLinkView(config, link)) } };
  };
}
