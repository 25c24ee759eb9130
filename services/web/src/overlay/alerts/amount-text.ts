import type { OverlayDonation } from '@paywatch/domain/contract';
import type { OverlayAmounts } from '@paywatch/domain/overlay';
import { coinText } from '../../money/amounts.ts';

/** The amount of a donation in coins, in the currency of the streamer, or in both; in coins alone where its worth is unknown. Pure. */
export function amountText(
  { amount, currency, fiat }: Pick<OverlayDonation, 'amount' | 'currency' | 'fiat'>,
  amounts: OverlayAmounts,
  language: string,
): string {
  const coins = coinText(amount, currency);
  // A replica of an earlier release leaves it out.
  if (amounts === 'coins' || !fiat) return coins;
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: fiat.currency });
  const worth = format.format(Number(fiat.amount));
  return amounts === 'fiat' ? worth : `${coins} (${worth})`;
}
