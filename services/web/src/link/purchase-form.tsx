import type { Currency, PublicPaymentLink, PurchaseDraft } from '@paywatch/domain/contract';
import { coinText } from '../money/amounts.ts';
import { priceText } from '../money/fiat.ts';
import { describedBy } from '../ui/described-by.ts';
import type { Language } from '../ui/language.ts';
import { Notice } from '../ui/notice.tsx';
import type { LinkTexts } from './link-en.ts';
import { openAmount } from './purchase-draft.ts';

export type PurchaseFormProps = {
  link: PublicPaymentLink;
  /** The amount as typed, where the link leaves it open. */
  typed: string;
  currency: Currency;
  /** What is wrong with the amount. */
  error: string | null;
  /** Why the last submission failed. */
  failure: string | null;
  isSubmitting: boolean;
  /** Progress of the proof of work, 0 to 1; null while none is running. */
  progress: number | null;
  language: Language;
  texts: LinkTexts;
  onChange: (change: Partial<PurchaseDraft>) => void;
  onSubmit: () => void;
};

/** What is sold, and the form. Without JavaScript the browser submits it and the server renders it again with the errors. */
export function PurchaseForm(props: PurchaseFormProps) {
  const { link, failure, isSubmitting, texts, onSubmit } = props;
  return (
    <form
      class="card buy"
      method="post"
      noValidate
      data-testid="buy-form"
      data-currency={props.currency}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Offer {...props} />
      {failure === null ? null : (
        <Notice tone="act" testId="buy-failure">
          {failure}
        </Notice>
      )}
      {openAmount(link) === null ? null : <AmountField {...props} />}
      <CurrencyChoice {...props} />
      <ProofStatus {...props} />
      <button class="button button--main" type="submit" aria-disabled={isSubmitting} data-testid="buy-submit">
        {isSubmitting ? texts.sending : texts.submit}
      </button>
      {link.price === null ? null : <p class="buy__note">{texts.atCurrentRate}</p>}
    </form>
  );
}

function Offer({ link, currency, language, texts }: PurchaseFormProps) {
  const { price, amount, available } = link;
  return (
    <header class="buy__offer">
      {link.project_name === null ? null : (
        <p class="buy__seller" dir="auto">
          {link.project_name}
        </p>
      )}
      <h1 class="buy__title" dir="auto">
        {link.title}
      </h1>
      {link.description === null ? null : (
        <p class="buy__description" dir="auto">
          {link.description}
        </p>
      )}
      {price === null || price.amount === null ? null : (
        <p class="buy__price" data-testid="buy-price">
          <bdi dir="ltr">{priceText({ amount: price.amount, currency: price.currency }, language)}</bdi>
        </p>
      )}
      {amount === null ? null : (
        <p class="buy__price" data-testid="buy-price">
          <bdi dir="ltr">{coinText(amount, currency)}</bdi>
        </p>
      )}
      {available === null || link.single_use ? null : (
        <p class="buy__left" data-testid="buy-left">
          {texts.left(available)}
        </p>
      )}
    </header>
  );
}

/** The server derives the unit of the amount from the name of the input. */
function AmountField({ link, typed, currency, error, texts, onChange }: PurchaseFormProps) {
  const unit = link.price?.currency ?? currency;
  return (
    <div class="field">
      <label class="label" for="amount">
        {texts.amount}
      </label>
      <div class="input-group">
        <input
          class="input"
          id="amount"
          name={link.price === null ? 'amount' : 'price_amount'}
          value={typed}
          inputMode="decimal"
          autocomplete="off"
          maxLength={40}
          dir="ltr"
          data-testid="amount"
          {...describedBy('amount', error ?? undefined)}
          onInput={(event) => onChange({ amount: event.currentTarget.value })}
        />
        <span class="input-group__unit">{unit}</span>
      </div>
      <p class="field__foot" id="amount-note">
        {error === null ? (
          <span class="field__count">{texts.amountHint(unit)}</span>
        ) : (
          <span class="field-error" data-testid="amount-error">
            {error}
          </span>
        )}
      </p>
    </div>
  );
}

function CurrencyChoice({ link, currency, texts, onChange }: PurchaseFormProps) {
  const { busy_currencies: busy = [] } = link;
  if (link.currencies.length === 1) return <input type="hidden" name="currency" value={currency} />;
  return (
    <fieldset class="choice">
      <legend class="label">{texts.currency}</legend>
      <div class="choice__row">
        {link.currencies.map((offered) => (
          <label key={offered} class="choice__item" data-currency={offered}>
            <input
              type="radio"
              name="currency"
              value={offered}
              checked={offered === currency}
              disabled={busy.includes(offered)}
              data-testid={`currency-${offered}`}
              onChange={() => onChange({ currency: offered, ...(link.price === null && { amount: '' }) })}
            />
            <span>{offered}</span>
          </label>
        ))}
      </div>
      {busy.length === 0 ? null : (
        <p class="field__foot" data-testid="busy-currencies">
          {texts.busyCurrencies(busy.join(', '))}
        </p>
      )}
    </fieldset>
  );
}

/** Announces the proof of work that the API asks for while few addresses are free, and shows its progress. */
function ProofStatus({ link, currency, progress, texts }: PurchaseFormProps) {
  if (progress !== null) {
    return (
      <div class="proof" role="status" data-testid="proof-progress">
        <label class="label" for="proof">
          {texts.proof.solving}
        </label>
        <progress class="proof__bar" id="proof" max={1} value={progress} />
      </div>
    );
  }
  if (!link.proof_of_work?.currencies.includes(currency)) return null;
  return (
    <>
      <p class="proof__note needs-script" data-testid="proof-note">
        {texts.proof.announced}
      </p>
      <p class="proof__note needs-no-script" data-testid="proof-needs-script">
        {texts.proof.needsScript}
      </p>
    </>
  );
}
