import type { OverlayDonation } from '@paywatch/domain/contract';
import type { OverlayLook } from '../settings.ts';

/** How many donations are shown. */
const SHOWN = 5;

/** The newest donations after another one arrived, newest first. Tests and those below the minimum are left out. Pure. */
export function addLatest(
  latest: readonly OverlayDonation[],
  donation: OverlayDonation,
  { minAmount }: Pick<OverlayLook, 'minAmount'>,
): readonly OverlayDonation[] {
  const isShown = !donation.test && BigInt(donation.amount) >= minAmount[donation.currency];
  return isShown ? [donation, ...latest].slice(0, SHOWN) : latest;
}
