import { OVERLAY_AMOUNTS } from '@paywatch/domain/overlay';
import { fiatOptions } from '../../parts/form/fiat-currencies.ts';
import { Select } from '../../parts/form/form.tsx';
import type { SettingsPartProps } from './overlay-settings-form.tsx';

/** What amounts are written in: coins, the currency of the streamer, or both. */
export function AmountFields({ settings, words, onChange }: SettingsPartProps) {
  const { amounts, fiat_currency: currency } = settings;
  return (
    <>
      <Select
        id="amounts"
        label={words.amounts}
        hint={words.amountsHint}
        value={amounts}
        options={OVERLAY_AMOUNTS.map((name) => [name, words.amountsIn[name]] as const)}
        onValue={(chosen) => onChange({ amounts: chosen })}
      />
      {amounts === 'coins' ? null : (
        <Select
          id="fiat_currency"
          label={words.fiatCurrency}
          value={currency}
          options={fiatOptions(currency)}
          onValue={(code) => onChange({ fiat_currency: code })}
        />
      )}
    </>
  );
}
