import type { OverlayDonation } from '@paywatch/domain/contract';

/** A sample donation for the preview, marked as a test. */
export function sampleDonation(message: string): OverlayDonation {
  return {
    public_id: '',
    donor_name: 'Ada',
    donor_message: message,
    amount: '50000',
    currency: 'BTC',
    fiat: null,
    confirmed_at: new Date().toISOString(),
    test: true,
  };
}
