import { publicBranding } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import { findPublicPaymentLink, type PublicPaymentLink } from '@paywatch/store/payment-links';
import type { ApiConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { readAvailability } from '../donations/address-availability.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { findResumable } from './find-resumable.ts';
import { linkStatus, paymentLinkView } from './payment-link-view.ts';

/** What the page of a payment link needs: what it sells, in which currencies, and whether somebody can buy now. */
export function getPublicPaymentLink(dependencies: Dependencies): OperationHandler<'getPublicPaymentLink'> {
  const { config, store } = dependencies;
  return async ({ params: { token } }) => {
    const link = await findPublicPaymentLink(store, token);
    if (link === null) throw new AppError('not_found');
    const currencies = link.payable.filter((currency) => config.offered.includes(currency));
    if ((await findResumable(dependencies, link)) !== null)
      return {
        status: 200,
        body: { ...shownTerms(config, link), status: 'open', available: 1, currencies, accepting: true },
      };
    const isAccepting = linkStatus(link) === 'open' && link.isSubscribed;
    const offer = { projectId: link.projectId, isAccepting, currencies };
    const availability = await readAvailability(dependencies, token, offer);
    return { status: 200, body: { ...shownTerms(config, link), currencies, ...availability } };
  };
}

function shownTerms(config: ApiConfig, link: PublicPaymentLink) {
  const { title, description, price, amount, single_use, available, status } = paymentLinkView(config, link);
  return {
    project_name: link.projectName,
    branding: publicBranding(link.branding),
    title,
    description,
    price,
    amount,
    single_use,
    available,
    status,
  };
}
