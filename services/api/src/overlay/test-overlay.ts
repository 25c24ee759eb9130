import { publicId } from '@paywatch/domain/values';
import { secureRandomBytes } from '@paywatch/runtime/security';
import { byCredential } from '@paywatch/store/accounts';
import { insertTestDonation } from '@paywatch/store/donations';
import { inTransaction } from '@paywatch/store/postgres';
import { publishOverlayDonations } from '@paywatch/store/redis';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { overlayDonationView } from './overlay-donation-view.ts';

/** What a test donation shows. */
export const TEST_DONATION = {
  currency: 'BTC',
  amount: 50_000n,
  donorName: 'Test donor',
  donorMessage: 'This is how a donation looks.',
} as const;

/** Shows a test donation on the overlay. */
export function testOverlay({ store }: Dependencies): OperationHandler<'testOverlay'> {
  return async ({ caller, context }) => {
    const donationId = publicId('inv_', secureRandomBytes(16));
    const donation = await inTransaction(store, async (tx) => {
      await byCredential(caller, context.address)(tx);
      return insertTestDonation(tx, { ...TEST_DONATION, projectId: caller.projectId, publicId: donationId });
    });
    await publishOverlayDonations(store, [donation]);
    return { status: 202, body: overlayDonationView(donation) };
  };
}
