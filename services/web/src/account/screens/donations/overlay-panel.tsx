import type { OverlayDonation } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { POSITIONS, THEMES } from '../../../overlay/settings.ts';
import { Notice } from '../../../ui/notice.tsx';
import { useKnownAccount } from '../../app/account-context.ts';
import { RotateButton } from './rotate-button.tsx';
import { DEFAULT_LOOKS, overlayUrl, type OverlayLooks } from './overlay-looks.ts';
import { Checkbox, ProblemNotice, Select, TextInput } from '../../parts/form.tsx';
import { Panel } from '../../parts/panel.tsx';
import { CopyLine } from '../../parts/secret-box.tsx';
import { useSubmit } from '../../api/use-submit.ts';

/** The overlay's address with the looks that are chosen here, a live preview, and a test alert. */
export function OverlayPanel() {
  const { api, texts, me } = useKnownAccount();
  const [looks, setLooks] = useState(DEFAULT_LOOKS);
  const test = useSubmit<OverlayDonation>();
  const url = overlayUrl(me.project.overlay_url, looks);
  const words = texts.donations;
  return (
    <Panel title={words.overlay} testId="overlay">
      <p>{words.overlayHint}</p>
      <CopyLine value={url} testId="overlay-url" />
      <Preview url={url} />
      <ProblemNotice problem={test.problem} />
      {test.value === null ? null : (
        <Notice tone="calm" icon="check" testId="test-alert-sent">
          {words.testSent}
        </Notice>
      )}
      <div class="buttons">
        <button
          type="button"
          class="button button--main"
          aria-disabled={test.isBusy}
          data-testid="test-alert"
          onClick={() => void test.send(() => api.testOverlay())}
        >
          {words.test}
        </button>
        <RotateButton kind="overlay" />
      </div>
      <LooksForm looks={looks} onChange={(change) => setLooks((before) => ({ ...before, ...change }))} />
    </Panel>
  );
}

/** The overlay itself, on this host and in preview: it shows what comes and remembers nothing. */
function Preview({ url }: { url: string }) {
  const { texts } = useKnownAccount();
  const { pathname, search } = new URL(url, location.href);
  const source = `${pathname}${search === '' ? '?' : `${search}&`}preview=1`;
  return (
    <div class="overlay-preview">
      <iframe
        src={source}
        title={texts.donations.preview}
        loading="lazy"
        tabIndex={-1}
        data-testid="overlay-preview"
      />
    </div>
  );
}

type LooksFormProps = { looks: OverlayLooks; onChange: (change: Partial<OverlayLooks>) => void };

function LooksForm({ looks, onChange }: LooksFormProps) {
  const words = useKnownAccount().texts.donations;
  return (
    <details class="more" data-testid="overlay-looks">
      <summary data-testid="overlay-looks-summary">{words.looks}</summary>
      <div class="form">
        <Select
          id="position"
          label={words.position}
          value={looks.position}
          options={POSITIONS.map((position) => [position, words.positions[position]] as const)}
          onValue={(position) => onChange({ position })}
        />
        <Select
          id="theme"
          label={words.theme}
          value={looks.theme}
          options={THEMES.map((theme) => [theme, words.themes[theme]] as const)}
          onValue={(theme) => onChange({ theme })}
        />
        <TextInput
          id="duration"
          label={words.duration}
          type="number"
          value={looks.duration}
          onValue={(duration) => onChange({ duration })}
        />
        <TextInput
          id="min_btc"
          label={words.minAmount('BTC')}
          isOptional
          isMono
          value={looks.minBtc}
          onValue={(minBtc) => onChange({ minBtc })}
        />
        <TextInput
          id="min_ltc"
          label={words.minAmount('LTC')}
          isOptional
          isMono
          value={looks.minLtc}
          onValue={(minLtc) => onChange({ minLtc })}
        />
        <Checkbox
          id="sound"
          label={words.sound}
          isChecked={looks.isSounding}
          onValue={(isSounding) => onChange({ isSounding })}
        />
        <Checkbox
          id="show_message"
          label={words.showMessage}
          isChecked={looks.isMessageShown}
          onValue={(isMessageShown) => onChange({ isMessageShown })}
        />
      </div>
    </details>
  );
}
