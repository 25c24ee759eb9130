import type { Currency, DonationLinkInfo } from '@paywatch/domain/contract';
import { formatCoins } from '@paywatch/domain/money';
import { unitText } from '../money/digits.ts';
import { shortPriceText } from '../money/fiat.ts';
import type { Language } from '../ui/language.ts';
import { describedBy } from '../ui/described-by.ts';
import { draftUnits } from './donation-draft.ts';
import type { DonationFormProps } from './donation-form.tsx';

/** The amounts in coins that are suggested unless the owner has chosen others. */
const PRESETS: Readonly<Record<Currency, readonly string[]>> = {
  BTC: ['0.00005', '0.0001', '0.0005', '0.001'],
  LTC: ['0.05', '0.1', '0.5', '1'],
};

/** The amount in coins with suggestions, and its value in minimal units. */
export function AmountField(props: DonationFormProps) {
  const { draft, currency, errors, language, texts, onChange } = props;
  const units = draftUnits(draft.amount, currency);
  return (
    <div class="field">
      <label class="label" for="amount">
        {texts.amount} <span class="label__note">({texts.optional})</span>
      </label>
      <Suggestions {...props} />
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

function Suggestions({ link, draft, currency, language, texts, onChange }: DonationFormProps) {
  return (
    <div class="presets needs-script" role="group" aria-label={texts.presets}>
      {suggestionsOf(link, currency, language).map(({ coins, label }) => (
        <button
          key={coins}
          type="button"
          class="preset"
          dir="ltr"
          aria-pressed={draft.amount === coins}
          data-testid={`preset-${coins}`}
          onClick={() => onChange({ amount: coins })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** The suggested amounts in coins with their labels: the price where the owner has set one. Pure. */
function suggestionsOf(
  { suggestions }: DonationLinkInfo,
  currency: Currency,
  language: Language,
): readonly { coins: string; label: string }[] {
  const own = suggestions?.[currency] ?? [];
  if (own.length === 0) return PRESETS[currency].map((coins) => ({ coins, label: coins }));
  return own.map(({ amount, price }) => {
    const coins = formatCoins(BigInt(amount));
    return { coins, label: price === undefined ? coins : shortPriceText(price, language) };
  });
}
