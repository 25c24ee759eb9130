import { messageText } from '@paywatch/domain/invoices';
import type { OverlayDonation } from '@paywatch/store/donations';
import { overlayDonationView } from '../overlay/overlay-donation-view.ts';
import type { Entry } from './event-stream.ts';

/** The message of a donation. Its position is its id. */
export function donationEntry(donation: OverlayDonation): Entry {
  const json = JSON.stringify(overlayDonationView(donation));
  const text = messageText({ event: 'donation', id: String(donation.id), json });
  return { position: positionOf(donation.id), text };
}

/** The position of a donation's id. A number needs no memory of its own, unlike a bigint, and every stream holds one. */
export function positionOf(id: bigint): number {
  const position = Number(id);
  if (!Number.isSafeInteger(position)) throw new Error(`donation id ${id} is not a safe integer`);
  return position;
}
