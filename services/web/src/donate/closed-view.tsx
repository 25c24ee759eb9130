import type { DonationLinkInfo } from '@paywatch/domain/contract';
import type { DonateTexts } from './texts/donate-en.ts';
import { Icon } from '../ui/icons.tsx';

/** Shown where a valid link accepts no donations: all addresses are in use, or the project has no active subscription or no verified wallet. */
export function ClosedView({ link, texts }: { link: DonationLinkInfo; texts: DonateTexts }) {
  const isBusy = link.busy_currencies !== undefined;
  const words = isBusy ? texts.busy : texts.closed;
  return (
    <article class="card problem" data-testid="donate-closed">
      <span class="mark">
        <Icon name="clock" />
      </span>
      <h1 class="problem__title" dir="auto">
        {link.project_name ?? words.title}
      </h1>
      <p>
        {link.project_name === null ? '' : `${words.title}. `}
        {words.detail}
      </p>
      {isBusy ? (
        <a class="button" href="" data-testid="try-again">
          {texts.busy.again}
        </a>
      ) : null}
    </article>
  );
}
