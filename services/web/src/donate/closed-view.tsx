import type { DonationLinkInfo } from '@paywatch/domain/contract';
import type { DonateTexts } from '../texts/donate-en.ts';
import { Icon } from '../ui/icons.tsx';

/** A link that is valid and takes no donations now. */
export function ClosedView({ link, texts }: { link: DonationLinkInfo; texts: DonateTexts }) {
  return (
    <article class="card problem" data-testid="donate-closed">
      <span class="mark">
        <Icon name="clock" />
      </span>
      <h1 class="problem__title" dir="auto">
        {link.project_name ?? texts.closed.title}
      </h1>
      <p>
        {link.project_name === null ? '' : `${texts.closed.title}. `}
        {texts.closed.detail}
      </p>
    </article>
  );
}
