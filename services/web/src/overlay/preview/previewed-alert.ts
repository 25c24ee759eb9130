import type { OverlayDonation, OverlaySettings } from '@paywatch/domain/contract';

/** What the donation page sends to the frame of its preview, as JSON. */
export type PreviewedAlert = {
  readonly settings: Partial<OverlaySettings>;
  readonly donation: OverlayDonation;
  readonly amountText: string;
};
