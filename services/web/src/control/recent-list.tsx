import type { ControlView, RecentDonation } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Moment } from '../ui/moment.tsx';
import { Notice } from '../ui/notice.tsx';
import type { PartProps } from './control-app.tsx';
import { DonationLine } from './donation-line.tsx';

/** The last donations that overlays got, newest first, each with a button that shows it again. */
export function RecentList({
  view: { recent },
  calls,
  run,
  texts,
  language,
}: PartProps & { view: ControlView }) {
  const [isReplayed, setReplayed] = useState(false);
  const replay = async ({ id }: RecentDonation) => {
    setReplayed(false);
    setReplayed(await run(calls.act({ action: 'replay', donation_id: id })));
  };
  return (
    <section class="part" aria-labelledby="recent" data-testid="recent">
      <h2 id="recent">{texts.recent}</h2>
      {recent.length === 0 ? <p class="quiet">{texts.nothingRecent}</p> : null}
      {isReplayed ? (
        <Notice tone="calm" icon="check">
          {texts.replayed}
        </Notice>
      ) : null}
      <ul class="donations">
        {recent.map((donation) => (
          <li key={donation.id} class="donation" data-testid="recent-donation">
            <DonationLine donation={donation} texts={texts} />
            <div class="donation__foot">
              <p class="quiet">
                {donation.test ? `${texts.test} · ` : null}
                <Moment at={donation.confirmed_at} language={language} />
              </p>
              <button
                type="button"
                class="button button--small"
                aria-label={texts.replayOf(donation.donor_name ?? texts.anonymous)}
                data-shortcut="replay"
                data-testid="replay"
                onClick={() => void replay(donation)}
              >
                {texts.replay}
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
