import type { ControlView, HeldDecision, HeldDonation } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Moment } from '../ui/moment.tsx';
import type { PartProps } from './control-app.tsx';
import { DonationLine } from './donation-line.tsx';

/** The donations that wait for a decision, oldest first. */
export function HeldList({ view, ...part }: PartProps & { view: ControlView }) {
  const { texts } = part;
  const { held, held_count: all } = view;
  return (
    <section class="part part--held" aria-labelledby="held" data-testid="held">
      <h2 id="held">
        {texts.held}{' '}
        <span class="count" data-some={all > 0} data-testid="held-count">
          {countText(all)}
        </span>
      </h2>
      {held.length === 0 ? (
        <p class="quiet">{texts.nothingHeld}</p>
      ) : (
        <p class="quiet">{texts.moneyCounts}</p>
      )}
      {all > held.length ? <p class="quiet">{texts.heldMore(held.length, countText(all))}</p> : null}
      <ul class="donations">
        {held.map((donation) => (
          <HeldItem key={donation.id} donation={donation} {...part} />
        ))}
      </ul>
    </section>
  );
}

/** The API counts to 1,000. */
function countText(count: number): string {
  return count >= 1000 ? '1000+' : String(count);
}

function HeldItem({ donation, calls, run, texts, language }: PartProps & { donation: HeldDonation }) {
  const [isBusy, setBusy] = useState(false);
  const decide = async (decision: HeldDecision) => {
    if (isBusy) return;
    setBusy(true);
    await run(calls.decide(donation.id, decision));
    setBusy(false);
  };
  const button = (decision: HeldDecision, shortcut: 'approve' | 'blockText' | 'dismiss') => (
    <button
      type="button"
      class={decision === 'approved' ? 'button button--main' : 'button'}
      aria-disabled={isBusy}
      data-shortcut={shortcut}
      data-testid={decision}
      onClick={() => void decide(decision)}
    >
      {texts[shortcut]}
    </button>
  );
  return (
    <li class="donation" data-testid="held-donation">
      <DonationLine donation={donation} texts={texts} />
      <p class="quiet">
        {texts.reasons[donation.reason]} · <Moment at={donation.confirmed_at} language={language} />
      </p>
      <div class="buttons">
        {button('approved', 'approve')}
        {button('text_blocked', 'blockText')}
        {button('dismissed', 'dismiss')}
      </div>
    </li>
  );
}
