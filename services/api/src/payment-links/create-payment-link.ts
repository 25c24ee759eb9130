import { AppError } from '@paywatch/domain/requests';
import { publicId } from '@paywatch/domain/values';
import { randomToken, secureRandomBytes } from '@paywatch/runtime/security';
import { byCredential } from '@paywatch/store/accounts';
import { createPaymentLink as create, type PaymentLinkTerms } from '@paywatch/store/payment-links';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { assertTermsFit, namedTerms } from './link-terms.ts';
import { paymentLinkView } from './payment-link-view.ts';

const DEFAULTS: Omit<PaymentLinkTerms, 'title'> = {
  description: '',
  amount: null,
  priceAmount: null,
  priceCurrency: null,
  currencies: null,
  stock: null,
  returnUrl: null,
  expiresAt: null,
  isDisabled: false,
};

/** Creates a page that sells one thing. */
export function createPaymentLink({ config, store }: Dependencies): OperationHandler<'createPaymentLink'> {
  return async ({ caller, body, context }) => {
    const { title, single_use: isSingleUse, description, ...terms } = body;
    const named = namedTerms(config, { ...terms, description: description ?? '' });
    const link = { ...DEFAULTS, ...named, title, isSingleUse };
    assertTermsFit(link);
    const created = await create(store, byCredential(caller, context.address), {
      ...link,
      projectId: caller.projectId,
      publicId: publicId('plink_', secureRandomBytes(16)),
      token: randomToken(16),
    });
    if (created === null) throw new AppError('too_many_payment_links');
    return { status: 201, body: paymentLinkView(config, created) };
  };
}
