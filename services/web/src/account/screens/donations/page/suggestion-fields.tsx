import { Select, TextInput } from '../../../parts/form/form.tsx';
import type { PagePartProps } from './page-form.tsx';

const KINDS = ['usual', 'coins', 'prices'] as const;

/** The amounts that the page suggests: in coins, or in a currency at the rate of the moment. */
export function SuggestionFields(props: PagePartProps) {
  const { draft, words, onChange } = props;
  return (
    <>
      <Select
        id="suggestions"
        label={words.suggestions}
        value={draft.suggestions}
        options={KINDS.map((kind) => [kind, words.kinds[kind]] as const)}
        onValue={(suggestions) => onChange({ suggestions })}
      />
      {draft.suggestions === 'coins' ? <CoinFields {...props} /> : null}
      {draft.suggestions === 'prices' ? <PriceFields {...props} /> : null}
    </>
  );
}

function CoinFields({ draft, words, invalid, errorAt, onChange }: PagePartProps) {
  return (['btc', 'ltc'] as const).map((field) => {
    const currency = field === 'btc' ? 'BTC' : 'LTC';
    const indexes = [0, 1, 2, 3];
    const found = indexes.map((index) => errorAt(`suggested_amounts.${currency}.${index}`)).find(Boolean);
    return (
      <TextInput
        key={field}
        id={`suggested_${field}`}
        label={words.amountsIn(currency)}
        hint={words.amountsHint}
        isMono
        value={draft[field]}
        error={invalid.includes(field) ? words.amountsError : found}
        onValue={(typed) => onChange({ [field]: typed })}
      />
    );
  });
}

function PriceFields({ draft, words, invalid, errorAt, onChange }: PagePartProps) {
  return (
    <>
      <TextInput
        id="suggested_currency"
        label={words.priceCurrency}
        isMono
        value={draft.priceCurrency}
        error={errorAt('suggested_prices.currency')}
        onValue={(priceCurrency) => onChange({ priceCurrency })}
      />
      <TextInput
        id="suggested_prices"
        label={words.prices}
        hint={words.amountsHint}
        isMono
        value={draft.prices}
        error={invalid.includes('prices') ? words.pricesError : undefined}
        onValue={(prices) => onChange({ prices })}
      />
    </>
  );
}
