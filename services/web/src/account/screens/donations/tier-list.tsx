import type { OverlaySettings } from '@paywatch/domain/contract';
import { OVERLAY_TEMPLATES, type OverlayTier } from '@paywatch/domain/overlay';
import { useState } from 'preact/hooks';
import { Select, TextInput } from '../../parts/form/form.tsx';
import { MediaSelects } from '../../parts/uploads/media-selects.tsx';
import { overlayDraft, readOverlayDraft, type OverlayDraft } from './overlay-draft.ts';
import type { SettingsPartProps } from './overlay-settings-form.tsx';

const MAX_TIERS = 5;

/** The tiers of donations by amount: each has its own design, picture, sound and length. */
export function TierList({ settings, uploads, words, onChange }: SettingsPartProps) {
  const { tiers } = settings;
  // A key that survives the removal of an earlier tier keeps what is typed in the right fields.
  const [keys, setKeys] = useState(() => tiers.map((_, index) => index));
  const save = (changed: readonly OverlayTier[]) => onChange({ tiers: [...changed] });
  const add = () => {
    setKeys([...keys, Math.max(-1, ...keys) + 1]);
    save([...tiers, nextTier(settings)]);
  };
  const remove = (removed: number) => {
    setKeys(keys.filter((_, index) => index !== removed));
    save(tiers.filter((_, index) => index !== removed));
  };
  return (
    <>
      <p class="label">{words.tiers}</p>
      <p class="quiet">{words.tiersHint}</p>
      {tiers.map((tier, index) => (
        <TierFields
          key={keys[index] ?? index}
          {...{ tier, uploads, words }}
          number={index + 1}
          onChange={(change) => save(tiers.map((one, at) => (at === index ? { ...one, ...change } : one)))}
          onRemove={() => remove(index)}
        />
      ))}
      {tiers.length < MAX_TIERS ? (
        <button type="button" class="button" data-testid="add-tier" onClick={add}>
          {words.addTier}
        </button>
      ) : null}
    </>
  );
}

/** The first amounts that a tier suggests, in minimal units. */
const FIRST = { btc: 100_000n, ltc: 10_000_000n };
/** The API takes at most 16 digits. */
const HIGHEST = 10n ** 15n;

/** A tier for ten times the amount of the highest one. */
function nextTier(settings: OverlaySettings): OverlayTier {
  const { tiers, template, image, image_upload, sound, sound_upload, duration_seconds } = settings;
  const btc = tiers.map((tier) => tier.min_amount_btc);
  const ltc = tiers.map((tier) => tier.min_amount_ltc);
  return {
    min_amount_btc: tenfold(btc, FIRST.btc),
    min_amount_ltc: tenfold(ltc, FIRST.ltc),
    template,
    image,
    image_upload,
    sound,
    sound_upload,
    duration_seconds,
  };
}

function tenfold(amounts: readonly string[], first: bigint): string {
  const next = amounts.map((amount) => BigInt(amount) * 10n).reduce((a, b) => (b > a ? b : a), first);
  return String(next > HIGHEST ? HIGHEST : next);
}

type TierFieldsProps = {
  tier: OverlayTier;
  number: number;
  uploads: SettingsPartProps['uploads'];
  words: SettingsPartProps['words'];
  onChange: (change: Partial<OverlayTier>) => void;
  onRemove: () => void;
};

function TierFields({ tier, number, uploads, words, onChange, onRemove }: TierFieldsProps) {
  const [draft, setDraft] = useState(() => overlayDraft({ ...tier, sentence: '-' }));
  const { invalid } = readOverlayDraft(draft);
  const id = (name: string) => `tier_${number}_${name}`;
  const type = (typed: Partial<OverlayDraft>) => {
    const next = { ...draft, ...typed };
    setDraft(next);
    const { sentence: _sentence, ...change } = readOverlayDraft(next).change;
    onChange(change);
  };
  return (
    <fieldset class="tier" data-testid={id('fields')}>
      <legend class="label">{words.tier(number)}</legend>
      {(['minBtc', 'minLtc'] as const).map((field) => (
        <TextInput
          key={field}
          id={id(field)}
          label={words.tierFrom(field === 'minBtc' ? 'BTC' : 'LTC')}
          isMono
          value={draft[field]}
          error={invalid.includes(field) ? words.amountError : undefined}
          onValue={(text) => type({ [field]: text })}
        />
      ))}
      <Select
        id={id('template')}
        label={words.template}
        value={tier.template}
        options={OVERLAY_TEMPLATES.map((name) => [name, words.templates[name]] as const)}
        onValue={(template) => onChange({ template })}
      />
      <MediaSelects prefix={id('')} media={tier} {...{ uploads, words, onChange }} />
      <TextInput
        id={id('duration')}
        label={words.duration}
        type="number"
        value={draft.duration}
        error={invalid.includes('duration') ? words.durationError : undefined}
        onValue={(duration) => type({ duration })}
      />
      <button type="button" class="button" data-testid={id('remove')} onClick={onRemove}>
        {words.removeTier(number)}
      </button>
    </fieldset>
  );
}
