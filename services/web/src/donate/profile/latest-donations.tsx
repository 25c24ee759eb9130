import type { DonationLinkInfo } from '@paywatch/domain/contract';
import { coinText } from '../../money/amounts.ts';
import type { Language } from '../../ui/language.ts';
import { PROFILE_TEXTS } from './profile-texts.ts';

/** The latest donations, below the form. Rendered outside the view that the script owns. Their names are untrusted. */
export function LatestDonations({ link, language }: { link: DonationLinkInfo; language: Language }) {
  const { latest_donations: donations = [] } = link;
  const texts = PROFILE_TEXTS[language];
  if (donations.length === 0) return null;
  return (
    <aside class="latest" aria-labelledby="latest" data-testid="latest-donations">
      <h2 class="label" id="latest">
        {texts.latest}
      </h2>
      <ol>
        {donations.map(({ donor_name: name, amount, currency }, index) => (
          <li key={index} class="latest__line">
            <bdi class="latest__name">{name ?? texts.anonymous}</bdi>
            <span dir="ltr">{coinText(amount, currency)}</span>
          </li>
        ))}
      </ol>
    </aside>
  );
}
