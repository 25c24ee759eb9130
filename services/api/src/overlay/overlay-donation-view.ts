import { timestamp } from '@paywatch/domain/invoices';
import type { OverlayDonation as OverlayDonationView } from '@paywatch/domain/contract';
import type { OverlayDonation } from '@paywatch/store/donations';

/** A donation as an overlay shows it. */
export function overlayDonationView(donation: OverlayDonation): OverlayDonationView {
  return {
    public_id: donation.publicId,
    donor_name: donation.donorName,
    donor_message: donation.donorMessage,
    amount: String(donation.amount),
    currency: donation.currency,
    fiat: donation.fiat,
    confirmed_at: timestamp(donation.confirmedAt.getTime()),
    test: donation.isTest,
  };
}
