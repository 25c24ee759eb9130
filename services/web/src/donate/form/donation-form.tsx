import type { Currency, DonationDraft, DonationLinkInfo } from '@paywatch/domain/contract';
import { countCharacters, plainText } from '@paywatch/domain/visible-text';
import type { ComponentChildren } from 'preact';
import type { DonateTexts } from '../texts/donate-en.ts';
import type { Language } from '../../ui/language.ts';
import { AlertPreview } from './alert-preview.tsx';
import { messageNotes } from './message-notes.ts';
import { describedBy } from '../../ui/described-by.ts';
import { isolated } from '../../ui/isolated.ts';
import { Notice } from '../../ui/notice.tsx';
import { AmountField } from './amount-field.tsx';
import type { DraftErrors } from './donation-draft.ts';

export type DonationFormProps = {
  link: DonationLinkInfo;
  draft: DonationDraft;
  currency: Currency;
  errors: DraftErrors;
  /** Why the last submission failed. */
  failure: string | null;
  isSubmitting: boolean;
  /** Progress of the proof of work, 0 to 1; null while none is running. */
  progress: number | null;
  language: Language;
  texts: DonateTexts;
  onChange: (change: Partial<DonationDraft>) => void;
  /** Called whenever the donor touches or enters a field: most visitors do not, and need no payment view. */
  onUse: () => void;
  onSubmit: () => void;
};

/** The donation form. Without JavaScript the browser submits it and the server renders it again with the errors. */
export function DonationForm(props: DonationFormProps) {
  const { link, failure, isSubmitting, texts, onUse, onSubmit } = props;
  return (
    <form
      class="card donate"
      method="post"
      noValidate
      data-testid="donate-form"
      data-currency={props.currency}
      onFocusIn={onUse}
      onPointerDown={onUse}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <h1 class="donate__heading">
        {texts.heading(link.project_name === null ? null : isolated(link.project_name))}
      </h1>
      {failure === null ? null : (
        <Notice tone="act" testId="donate-failure">
          {failure}
        </Notice>
      )}
      <CurrencyChoice {...props} />
      <AmountField {...props} />
      <DonorFields {...props} />
      <AlertPreview {...props} />
      <ProofStatus {...props} />
      <button
        class="button button--main"
        type="submit"
        aria-disabled={isSubmitting}
        data-testid="donate-submit"
      >
        {isSubmitting ? texts.sending : texts.submit}
      </button>
    </form>
  );
}

/** Announces the proof of work that the API asks for while few addresses are free, and shows its progress. */
function ProofStatus({ link, currency, progress, texts }: DonationFormProps) {
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

function CurrencyChoice({ link, draft, currency, texts, onChange }: DonationFormProps) {
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
              onChange={() => onChange({ currency: offered, ...(draft.unit === '' ? { amount: '' } : {}) })}
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

function DonorFields({ link, draft, currency, errors, texts, onChange }: DonationFormProps) {
  return (
    <>
      <TextField
        id="donor_name"
        label={texts.name}
        limit={link.limits.donor_name_max_length}
        value={draft.donor_name}
        error={errors.donor_name}
        texts={texts}
      >
        <input
          class="input"
          id="donor_name"
          name="donor_name"
          value={draft.donor_name}
          autocomplete="nickname"
          placeholder={texts.namePlaceholder}
          dir="auto"
          data-testid="donor-name"
          {...describedBy('donor_name', errors.donor_name)}
          onInput={(event) => onChange({ donor_name: event.currentTarget.value })}
        />
      </TextField>
      <TextField
        id="donor_message"
        label={texts.message}
        limit={link.limits.donor_message_max_length}
        value={draft.donor_message}
        error={errors.donor_message}
        texts={texts}
      >
        <textarea
          class="input"
          id="donor_message"
          name="donor_message"
          rows={3}
          value={draft.donor_message}
          dir="auto"
          data-testid="donor-message"
          {...describedBy('donor_message', errors.donor_message)}
          onInput={(event) => onChange({ donor_message: event.currentTarget.value })}
        />
      </TextField>
      {messageNotes(link, draft, currency, texts).map((note) => (
        <p key={note} class="field__foot" data-testid="message-note">
          {note}
        </p>
      ))}
    </>
  );
}

type TextFieldProps = {
  id: string;
  label: string;
  limit: number;
  value: string;
  error: string | undefined;
  texts: DonateTexts;
  children: ComponentChildren;
};

/** A text field with a character count. Counts like the API does; `maxlength` would count UTF-16 code units. */
function TextField({ id, label, limit, value, error, texts, children }: TextFieldProps) {
  return (
    <div class="field">
      <label class="label" for={id}>
        {label} <span class="label__note">({texts.optional})</span>
      </label>
      {children}
      <p class="field__foot" id={`${id}-note`}>
        {error === undefined ? null : (
          <span class="field-error" data-testid={`${id}-error`}>
            {error}
          </span>
        )}
        <span class="field__count needs-script">
          {texts.counted(countCharacters(plainText(value)), limit)}
        </span>
      </p>
    </div>
  );
}
