import type { OverlaySettings } from '@paywatch/domain/contract';
import { OVERLAY_POSITIONS, OVERLAY_TEMPLATES, OVERLAY_THEMES } from '@paywatch/domain/overlay';
import { useState } from 'preact/hooks';
import { useLoad } from '../../api/use-load.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Checkbox, ProblemNotice, Select, TextInput } from '../../parts/form.tsx';
import { WhenLoaded } from '../../parts/panel.tsx';
import type { DonationsTexts } from './donations-en.ts';
import { overlayDraft, readOverlayDraft, type OverlayDraft } from './overlay-draft.ts';
import { useSavedSettings } from './use-saved-settings.ts';

/** The settings of the overlay. Each change is saved, and open overlays follow it. */
export function OverlaySettingsForm() {
  const { api, texts } = useSignedInAccount();
  const loaded = useLoad(() => api.getOverlaySettings(), [api]);
  return (
    <details class="more" data-testid="overlay-settings">
      <summary data-testid="overlay-settings-summary">{texts.donations.appearance}</summary>
      <WhenLoaded loaded={loaded}>{(settings) => <Fields loaded={settings} />}</WhenLoaded>
    </details>
  );
}

type ChoicesProps = {
  settings: OverlaySettings;
  words: DonationsTexts;
  onChange: (change: Partial<OverlaySettings>) => void;
};

function Fields({ loaded }: { loaded: OverlaySettings }) {
  const words = useSignedInAccount().texts.donations;
  const { settings, problem, change } = useSavedSettings(loaded);
  return (
    <div class="form">
      <p class="quiet">{words.savedAtOnce}</p>
      <ProblemNotice problem={problem} />
      <Choices settings={settings} words={words} onChange={change} />
      <TypedFields settings={settings} words={words} onChange={change} />
      <Checkbox
        id="show_message"
        label={words.showMessage}
        isChecked={settings.show_message}
        onValue={(isShown) => change({ show_message: isShown })}
      />
    </div>
  );
}

function Choices({ settings, words, onChange }: ChoicesProps) {
  const { template, theme, position, volume } = settings;
  return (
    <>
      <Select
        id="template"
        label={words.template}
        value={template}
        options={OVERLAY_TEMPLATES.map((name) => [name, words.templates[name]] as const)}
        onValue={(chosen) => onChange({ template: chosen })}
      />
      <Select
        id="theme"
        label={words.theme}
        value={theme}
        options={OVERLAY_THEMES.map((name) => [name, words.themes[name]] as const)}
        onValue={(chosen) => onChange({ theme: chosen })}
      />
      <Select
        id="position"
        label={words.position}
        value={position}
        options={OVERLAY_POSITIONS.map((name) => [name, words.positions[name]] as const)}
        onValue={(chosen) => onChange({ position: chosen })}
      />
      <Select
        id="volume"
        label={words.volume}
        value={String(volume)}
        options={volumesWith(volume).map((percent) => [String(percent), words.percent(percent)] as const)}
        onValue={(percent) => onChange({ volume: Number(percent) })}
      />
    </>
  );
}

/** The volumes to choose from, in percent; a volume that was set by the API is one of them. */
function volumesWith(volume: number): readonly number[] {
  return [...new Set([0, 25, 50, 75, 100, volume])].toSorted((a, b) => a - b);
}

/** Saves what is valid while the rest is still being typed. */
function TypedFields({ settings, words, onChange }: ChoicesProps) {
  const [draft, setDraft] = useState(() => overlayDraft(settings));
  const { invalid } = readOverlayDraft(draft);
  const type = (typed: Partial<OverlayDraft>) => {
    const next = { ...draft, ...typed };
    setDraft(next);
    onChange(readOverlayDraft(next).change);
  };
  const errorOf = (field: keyof OverlayDraft, error: string) => (invalid.includes(field) ? error : undefined);
  return (
    <>
      <TextInput
        id="duration"
        label={words.duration}
        type="number"
        value={draft.duration}
        error={errorOf('duration', words.durationError)}
        onValue={(duration) => type({ duration })}
      />
      <TextInput
        id="min_btc"
        label={words.minAmount('BTC')}
        isOptional
        isMono
        value={draft.minBtc}
        error={errorOf('minBtc', words.amountError)}
        onValue={(minBtc) => type({ minBtc })}
      />
      <TextInput
        id="min_ltc"
        label={words.minAmount('LTC')}
        isOptional
        isMono
        value={draft.minLtc}
        error={errorOf('minLtc', words.amountError)}
        onValue={(minLtc) => type({ minLtc })}
      />
    </>
  );
}
