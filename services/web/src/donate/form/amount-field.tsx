import type { Currency, DonationLinkInfo } from '@paywatch/domain/contract';
import { formatCoins } from '@paywatch/domain/money';
import { coinText } from '../../money/amounts.ts';
import { unitText } from '../../money/digits.ts';
import { shortPriceText } from '../../money/fiat.ts';
import type { Language } from '../../ui/language.ts';
import { describedBy } from '../../ui/described-by.ts';
import { askedUnits } from './donation-draft.ts';
import type { DonationFormProps } from './donation-form.tsx';

/** The amounts in coins that are suggested unless the owner has chosen others. */
const PRESETS: Readonly<Record<Currency, readonly string[]>> = {
  BTC: ['0.00005', '0.0001', '0.0005', '0.001'],
  LTC: ['0.05', '0.1', '0.5', '1'],
};

/** The amount in coins with suggestions, and its value in minimal units. */
export function AmountField(props: DonationFormProps) {
  const { link, draft, currency, errors, language, texts, onChange } = props;
  const units = askedUnits(draft, currency, link);
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
        <Unit {...props} />
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
            <bdi dir="ltr">
              {draft.unit === ''
                ? unitText(String(units), currency, language)
                : `≈ ${coinText(String(units), currency)}`}
            </bdi>
          )}
        </span>
      </p>
    </div>
  );
}

/** The unit of the amount: the coin, or the currency of the project where there is a rate. */
function Unit({ link, draft, currency, texts, onChange }: DonationFormProps) {
  const { prices } = link;
  if (prices === undefined || prices.rates[currency] === null)
    return <span class="input-group__unit">{currency}</span>;
  return (
    <select
      class="input-group__unit"
      name="unit"
      aria-label={texts.unit}
      data-testid="unit"
      onChange={(event) => onChange({ unit: event.currentTarget.value, amount: '' })}
    >
      {['', prices.currency].map((unit) => (
        <option key={unit} value={unit} selected={unit === draft.unit}>
          {unit === '' ? currency : unit}
        </option>
      ))}
    </select>
  );
}

function Suggestions({ link, draft, currency, language, texts, onChange }: DonationFormProps) {
  return (
    <div class="presets needs-script" role="group" aria-label={texts.presets}>
      {suggestionsOf(link, currency, language).map(({ amount, unit, label }) => (
        <button
          key={amount}
          type="button"
          class="preset"
          dir="ltr"
          aria-pressed={draft.amount === amount && draft.unit === unit}
          data-testid={`preset-${amount}`}
          onClick={() => onChange({ amount, unit })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** What the form gets by a click on a suggestion, and its label. */
type Suggestion = { amount: string; unit: string; label: string };

/** The suggested amounts: in the currency in which the owner has set them, if donors may name an amount in it, else in coins. Pure. */
function suggestionsOf(
  { suggestions, prices }: DonationLinkInfo,
  currency: Currency,
  language: Language,
): readonly Suggestion[] {
  const own = suggestions?.[currency] ?? [];
  if (own.length === 0) return PRESETS[currency].map((amount) => ({ amount, unit: '', label: amount }));
  return own.map(({ amount, price }) => {
    const coins = formatCoins(BigInt(amount));
    if (price === undefined) return { amount: coins, unit: '', label: coins };
    const label = shortPriceText(price, language);
    if (price.currency !== prices?.currency || prices.rates[currency] === null)
      return { amount: coins, unit: '', label };
    return { amount: withoutZeros(price.amount), unit: price.currency, label };
  });
}

function withoutZeros(amount: string): string {
  return amount.replace(/\.0+$/, '');
}
