import type { OverlaySettings, UploadView } from '@paywatch/domain/contract';
import { withoutUpload } from '@paywatch/domain/overlay-uploads';
import { OVERLAY_POSITIONS, OVERLAY_TEMPLATES, OVERLAY_THEMES } from '@paywatch/domain/overlay';
import { useRef, useState } from 'preact/hooks';
import type { Language } from '../../../ui/language.ts';
import type { AccountApi } from '../../api/api.ts';
import type { ApiResult } from '../../api/api-call.ts';
import { useLoad } from '../../api/use-load.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Checkbox, ProblemNotice, Select, TextInput } from '../../parts/form/form.tsx';
import { WhenLoaded } from '../../parts/panel.tsx';
import { MediaSelects } from '../../parts/uploads/media-selects.tsx';
import { UploadGroup } from '../../parts/uploads/upload-group.tsx';
import { AmountFields } from './amount-fields.tsx';
import { overlayDraft, readOverlayDraft, type OverlayDraft } from './overlay-draft.ts';
import { overlaySettingsDe } from './overlay-settings-de.ts';
import { overlaySettingsEn, type OverlaySettingsTexts } from './overlay-settings-en.ts';
import { SpeechFields } from './speech-fields.tsx';
import { TierList } from './tier-list.tsx';
import { useSavedSettings } from './use-saved-settings.ts';

const TEXTS: Readonly<Record<Language, OverlaySettingsTexts>> = {
  en: overlaySettingsEn,
  de: overlaySettingsDe,
};

/** The settings of the overlay. Each change is saved, and open overlays follow it. */
export function OverlaySettingsForm() {
  const { api } = useSignedInAccount();
  const loaded = useLoad(() => load(api), [api]);
  return <WhenLoaded loaded={loaded}>{(start) => <Fields {...start} />}</WhenLoaded>;
}

type Start = { loaded: OverlaySettings; ownFiles: readonly UploadView[] };

async function load(api: AccountApi): Promise<ApiResult<Start>> {
  const [settings, uploads] = await Promise.all([api.getOverlaySettings(), api.listUploads()]);
  if (!settings.ok) return settings;
  return uploads.ok
    ? { ok: true, value: { loaded: settings.value, ownFiles: uploads.value.data.filter(isForAlerts) } }
    : uploads;
}

/** What each part of the form gets. */
export type SettingsPartProps = {
  settings: OverlaySettings;
  uploads: readonly UploadView[];
  words: OverlaySettingsTexts;
  onChange: (change: Partial<OverlaySettings>) => void;
};

function Fields({ loaded, ownFiles }: Start) {
  const words = TEXTS[useSignedInAccount().language];
  const { settings, problem, change } = useSavedSettings(loaded);
  const [uploads, setUploads] = useState(ownFiles);
  // A file may be deleted while the tiers are being changed.
  const latest = useRef(settings);
  latest.current = settings;
  const part = { settings, uploads, words, onChange: change };
  return (
    <div class="form">
      <p class="quiet">{words.savedAtOnce}</p>
      <ProblemNotice problem={problem} />
      <Choices {...part} />
      <UploadGroup
        uploads={uploads}
        onUploads={setUploads}
        onDeleted={(id) => change(withoutUpload(latest.current, id))}
      />
      <AmountFields {...part} />
      <TypedFields {...part} />
      <Checkbox
        id="show_message"
        label={words.showMessage}
        isChecked={settings.show_message}
        onValue={(isShown) => change({ show_message: isShown })}
      />
      <SpeechFields {...part} />
      <TierList {...part} />
    </div>
  );
}

function Choices({ settings, uploads, words, onChange }: SettingsPartProps) {
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
      <MediaSelects media={settings} {...{ uploads, words, onChange }} />
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
function TypedFields({ settings, words, onChange }: SettingsPartProps) {
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
        id="sentence"
        label={words.sentence}
        hint={words.sentenceHint}
        value={draft.sentence}
        error={errorOf('sentence', words.sentenceError)}
        onValue={(sentence) => type({ sentence })}
      />
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

/** A logo is for payment pages. */
function isForAlerts({ kind }: UploadView): boolean {
  return kind !== 'logo';
}
