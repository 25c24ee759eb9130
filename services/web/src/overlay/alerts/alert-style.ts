import type { OverlayDonation } from '@paywatch/domain/contract';
import type { AlertStyle, OverlayLook } from '../settings.ts';

/** The style of a donation's alert: that of the highest tier that its amount reaches, or of no tier. Pure. */
export function alertStyle(
  look: Pick<OverlayLook, 'tiers'> & AlertStyle,
  { amount, currency }: Pick<OverlayDonation, 'amount' | 'currency'>,
): AlertStyle {
  let style: AlertStyle = look;
  let reached = -1n;
  for (const tier of look.tiers) {
    const minimum = tier.minAmount[currency];
    if (minimum > BigInt(amount) || minimum <= reached) continue;
    reached = minimum;
    style = tier;
  }
  return style;
}
