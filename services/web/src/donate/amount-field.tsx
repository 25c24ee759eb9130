import type { Currency } from '@paywatch/domain/contract';
import { unitText } from '../money/digits.ts';
import { describedBy } from '../ui/described-by.ts';
import { draftUnits } from './donation-draft.ts';
import type { DonationFormProps } from './donation-form.tsx';

/** Suggested amounts in coins. */
const PRESETS: Readonly<Record<Currency, readonly string[]>> = {
  BTC: ['0.00005', '0.0001', '0.0005', '0.001'],
  LTC: ['0.05', '0.1', '0.5', '1'],
};

/** The amount in coins with suggestions, and its value in minimal units. */
export function AmountField({ draft, currency, errors, language, texts, onChange }: DonationFormProps) {
  const units = draftUnits(draft.amount, currency);
  return (
    <div class="field">
      <label class="label" for="amount">
        {texts.amount} <span class="label__note">({texts.optional})</span>
      </label>
      <div class="presets needs-script" role="group" aria-label={texts.presets}>
        {PRESETS[currency].map((preset) => (
          <button
            key={preset}
            type="button"
            class="preset"
            dir="ltr"
            aria-pressed={draft.amount === preset}
            data-testid={`preset-${preset}`}
            onClick={() => onChange({ amount: preset })}
          >
            {preset}
          </button>
        ))}
      </div>
      <div class="input-group">
        <input
          class="input"
          id="amount"
          name="amount"
          value={draft.amount}
          inputMode="decimal"
          autocomplete="off"
          maxLength={40}
          dir="ltr"
          data-testid="amount"
          {...describedBy('amount', errors.amount)}
          onInput={(event) => onChange({ amount: event.currentTarget.value })}
        />
        <span class="input-group__unit">{currency}</span>
      </div>
      <p class="field__foot" id="amount-note">
        {errors.amount === undefined ? null : (
          <span class="field-error" data-testid="amount-error">
            {errors.amount}
          </span>
        )}
        <span class="field__count" data-testid="amount-units">
          {units === null || units === undefined ? (
            texts.amountHint
          ) : (
            <bdi dir="ltr">{unitText(String(units), currency, language)}</bdi>
          )}
        </span>
      </p>
    </div>
  );
}
