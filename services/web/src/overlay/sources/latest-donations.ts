import type { OverlayDonation } from '@paywatch/domain/contract';
import { LATEST_DONATIONS } from '@paywatch/domain/overlay';
import type { OverlayLook } from '../settings.ts';

/** The newest donations after another one arrived, newest first. Tests and those below the minimum are left out. Pure. */
export function addLatest(
  latest: readonly OverlayDonation[],
  donation: OverlayDonation,
  { minAmount }: Pick<OverlayLook, 'minAmount'>,
): readonly OverlayDonation[] {
  const isShown = !donation.test && BigInt(donation.amount) >= minAmount[donation.currency];
  return isShown ? [donation, ...latest].slice(0, LATEST_DONATIONS) : latest;
}
