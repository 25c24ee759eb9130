import type { HeldDonation } from '@paywatch/domain/contract';
import { coinText } from '../money/amounts.ts';
import type { ControlTexts } from './control-en.ts';

type Shown = Pick<HeldDonation, 'donor_name' | 'donor_message' | 'amount' | 'currency'>;

/** Name, amount and message of a donation. */
export function DonationLine({ donation, texts }: { donation: Shown; texts: ControlTexts }) {
  const { donor_name: name, donor_message: message, amount, currency } = donation;
  return (
    <>
      <p class="donation__head" data-currency={currency}>
        <bdi class="donation__name">{name ?? texts.anonymous}</bdi>
        <bdi class="donation__amount" dir="ltr">
          {coinText(amount, currency)}
        </bdi>
      </p>
      {message === null ? null : (
        <p class="donation__message" dir="auto">
          {message}
        </p>
      )}
    </>
  );
}
