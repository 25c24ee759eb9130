import { byCredential } from '@paywatch/store/accounts';
import { changeDonationPage, loadDonationPage } from '@paywatch/store/donations';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { invalidField } from '../invalid-field.ts';
import { assertRateOffered } from '../rates/offered-rate.ts';

/** The settings of the caller's donation page. */
export function getDonationPage({ store }: Dependencies): OperationHandler<'getDonationPage'> {
  return async ({ caller: { projectId } }) => ({
    status: 200,
    body: await loadDonationPage(store, projectId),
  });
}

/** Changes the settings of the caller's donation page. */
export function updateDonationPage({ store, config }: Dependencies): OperationHandler<'updateDonationPage'> {
  return async ({ caller, body, context }) => {
    const prices = body.suggested_prices;
    if (prices) assertRateOffered(config, prices.currency, 'body.suggested_prices.currency');
    const authorize = byCredential(caller, context.address);
    const page = await changeDonationPage(store, authorize, caller.projectId, body);
    if (page === null)
      throw invalidField('body.picture', 'Must be the id of an image that was uploaded here.');
    return { status: 200, body: page };
  };
}
