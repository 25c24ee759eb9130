import type { OverlayDonation } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { POSITIONS, THEMES } from '../../../overlay/settings.ts';
import { Notice } from '../../../ui/notice.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { RotateButton } from './rotate-button.tsx';
import { DEFAULT_APPEARANCE, overlayUrl, type OverlayAppearance } from './overlay-appearance.ts';
import { Checkbox, ProblemNotice, Select, TextInput } from '../../parts/form.tsx';
import { Panel } from '../../parts/panel.tsx';
import { CopyField } from '../../parts/secret-box.tsx';
import { useSubmit } from '../../api/use-submit.ts';

/** The overlay URL with the chosen settings, a live preview, and a test alert. */
export function OverlayPanel() {
  const { api, texts, me } = useSignedInAccount();
  const [appearance, setAppearance] = useState(DEFAULT_APPEARANCE);
  const test = useSubmit<OverlayDonation>();
  const url = overlayUrl(me.project.overlay_url, appearance);
  const words = texts.donations;
  return (
    <Panel title={words.overlay} testId="overlay">
      <p>{words.overlayHint}</p>
      <CopyField value={url} testId="overlay-url" />
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
      <AppearanceForm
        appearance={appearance}
        onChange={(change) => setAppearance((before) => ({ ...before, ...change }))}
      />
    </Panel>
  );
}

/** The overlay in preview mode, loaded from this host. */
function Preview({ url }: { url: string }) {
  const { texts } = useSignedInAccount();
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

type AppearanceFormProps = {
  appearance: OverlayAppearance;
  onChange: (change: Partial<OverlayAppearance>) => void;
};

function AppearanceForm({ appearance, onChange }: AppearanceFormProps) {
  const words = useSignedInAccount().texts.donations;
  return (
    <details class="more" data-testid="overlay-appearance">
      <summary data-testid="overlay-appearance-summary">{words.appearance}</summary>
      <div class="form">
        <Select
          id="position"
          label={words.position}
          value={appearance.position}
          options={POSITIONS.map((position) => [position, words.positions[position]] as const)}
          onValue={(position) => onChange({ position })}
        />
        <Select
          id="theme"
          label={words.theme}
          value={appearance.theme}
          options={THEMES.map((theme) => [theme, words.themes[theme]] as const)}
          onValue={(theme) => onChange({ theme })}
        />
        <TextInput
          id="duration"
          label={words.duration}
          type="number"
          value={appearance.duration}
          onValue={(duration) => onChange({ duration })}
        />
        <TextInput
          id="min_btc"
          label={words.minAmount('BTC')}
          isOptional
          isMono
          value={appearance.minBtc}
          onValue={(minBtc) => onChange({ minBtc })}
        />
        <TextInput
          id="min_ltc"
          label={words.minAmount('LTC')}
          isOptional
          isMono
          value={appearance.minLtc}
          onValue={(minLtc) => onChange({ minLtc })}
        />
        <Checkbox
          id="sound"
          label={words.sound}
          isChecked={appearance.isSoundOn}
          onValue={(isSoundOn) => onChange({ isSoundOn })}
        />
        <Checkbox
          id="show_message"
          label={words.showMessage}
          isChecked={appearance.isMessageShown}
          onValue={(isMessageShown) => onChange({ isMessageShown })}
        />
      </div>
    </details>
  );
}
