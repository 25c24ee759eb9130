import type { Currency } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Checkbox, Select, TextInput } from '../../parts/form/form.tsx';
import { typedCoins, unitsOf } from './overlay-draft.ts';
import type { SettingsPartProps } from './overlay-settings-form.tsx';

/** In percent of the normal speed. */
const RATES = [75, 100, 125, 150];
/** Unicode code points of a message. */
const LENGTHS = [50, 100, 200];
const LANGUAGES = ['', 'en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'tr', 'ja'];

/** Whether and how messages are read aloud. */
export function SpeechFields({ settings, words, onChange }: SettingsPartProps) {
  const { speech, speech_language: language, speech_rate: rate, speech_max_length: length } = settings;
  return (
    <>
      <Checkbox
        id="speech"
        label={words.speech}
        isChecked={speech}
        onValue={(isRead) => onChange({ speech: isRead })}
      />
      {speech ? (
        <>
          <Select
            id="speech_language"
            label={words.speechLanguage}
            value={language}
            options={withValue(LANGUAGES, language).map(
              (tag) => [tag, tag || words.browserLanguage] as const,
            )}
            onValue={(chosen) => onChange({ speech_language: chosen })}
          />
          <Select
            id="speech_rate"
            label={words.speechRate}
            value={String(rate)}
            options={withValue(RATES, rate).map(
              (percent) => [String(percent), words.share(percent)] as const,
            )}
            onValue={(chosen) => onChange({ speech_rate: Number(chosen) })}
          />
          <Select
            id="speech_max_length"
            label={words.speechLength}
            value={String(length)}
            options={withValue(LENGTHS, length).map((count) => [String(count), String(count)] as const)}
            onValue={(chosen) => onChange({ speech_max_length: Number(chosen) })}
          />
          <MinimumField {...{ settings, words, onChange }} currency="BTC" setting="speech_min_btc" />
          <MinimumField {...{ settings, words, onChange }} currency="LTC" setting="speech_min_ltc" />
        </>
      ) : null}
    </>
  );
}

type MinimumProps = Omit<SettingsPartProps, 'uploads'> & {
  currency: Currency;
  setting: 'speech_min_btc' | 'speech_min_ltc';
};

/** Saves what is valid while the rest is still being typed. */
function MinimumField({ settings, words, onChange, currency, setting }: MinimumProps) {
  const [typed, setTyped] = useState(() => typedCoins(settings[setting]));
  return (
    <TextInput
      id={setting}
      label={words.speechMinimum(currency)}
      isOptional
      isMono
      value={typed}
      error={unitsOf(typed, currency) === null ? words.amountError : undefined}
      onValue={(text) => {
        setTyped(text);
        const units = unitsOf(text, currency);
        if (units !== null) onChange({ [setting]: units });
      }}
    />
  );
}

/** The values to choose from, with the one that was set by the API. */
function withValue<Value>(values: readonly Value[], value: Value): readonly Value[] {
  return values.includes(value) ? values : [...values, value];
}
