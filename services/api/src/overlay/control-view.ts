import type { ControlView, OverlayControl } from '@paywatch/domain/contract';
import { timestamp } from '@paywatch/domain/invoices';
import type { ControlPage, HeldDonation, OverlayOrders } from '@paywatch/store/donations';
import { overlayDonationView } from './overlay-donation-view.ts';

/** What moderators see. */
export function controlView({ held, recent, ...page }: ControlPage): ControlView {
  return {
    paused: page.paused,
    volume: page.volume,
    project_name: page.projectName,
    held: held.map((donation) => ({ ...donationView(donation), reason: donation.reason })),
    held_count: page.heldCount,
    recent: recent.map((donation) => ({ ...donationView(donation), test: donation.isTest })),
  };
}

function donationView(donation: Omit<HeldDonation, 'reason'>) {
  return {
    id: String(donation.id),
    donor_name: donation.donorName,
    donor_message: donation.donorMessage,
    amount: String(donation.amount),
    currency: donation.currency,
    confirmed_at: timestamp(donation.confirmedAt.getTime()),
  };
}

/** What moderators want an overlay to do, as its page reads it. */
export function overlayControlView(orders: OverlayOrders): OverlayControl {
  return {
    paused: orders.paused,
    volume: orders.volume,
    cleared_to: String(orders.clearedTo),
    cleared_replay: orders.clearedReplay,
    skipped_ms_ago: orders.skippedMsAgo,
    replays: orders.replays.map(({ number, donation }) => ({
      number,
      donation: overlayDonationView(donation),
    })),
  };
}
