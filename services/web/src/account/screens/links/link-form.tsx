import type { PaymentLinkView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { fieldError } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Form, Select, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { EMPTY_DRAFT, linkRequest, type LinkDraft } from './link-draft.ts';
import { LINKS_TEXTS } from './links-texts.ts';

/** Creates a link; the list below shows it. */
export function LinkForm({ onCreated }: { onCreated: () => Promise<void> }) {
  const { api, texts, language } = useSignedInAccount();
  const words = LINKS_TEXTS[language];
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const submit = useSubmit<PaymentLinkView>();
  const change = (part: Partial<LinkDraft>) => setDraft((before) => ({ ...before, ...part }));
  const error = (field: string) => fieldError(submit.problem, field, texts);
  const create = async () => {
    if ((await submit.send(() => api.createLink(linkRequest(draft)))) === null) return;
    setDraft(EMPTY_DRAFT);
    await onCreated();
  };
  return (
    <Form testId="link-form" problem={submit.problem} onSubmit={() => void create()}>
      <TextInput
        id="link-title"
        label={words.title}
        hint={words.titleHint}
        value={draft.title}
        error={error('title')}
        onValue={(title) => change({ title })}
      />
      <TextInput
        id="link-description"
        label={words.description}
        isOptional
        value={draft.description}
        error={error('description')}
        onValue={(description) => change({ description })}
      />
      <AmountFields draft={draft} error={error} change={change} />
      <UseFields draft={draft} error={error} change={change} />
      <TextInput
        id="link-return-url"
        label={words.returnUrl}
        hint={words.returnUrlHint}
        isOptional
        type="url"
        isMono
        value={draft.returnUrl}
        error={error('return_url')}
        onValue={(returnUrl) => change({ returnUrl })}
      />
      <SubmitButton isBusy={submit.isBusy} testId="link-create">
        {words.create}
      </SubmitButton>
    </Form>
  );
}

type FieldsProps = {
  draft: LinkDraft;
  error: (field: string) => string | undefined;
  change: (part: Partial<LinkDraft>) => void;
};

function AmountFields({ draft, error, change }: FieldsProps) {
  const { language } = useSignedInAccount();
  const words = LINKS_TEXTS[language];
  return (
    <>
      <Select
        id="link-kind"
        label={words.kind}
        value={draft.kind}
        options={[
          ['price', words.kinds.price],
          ['coins', words.kinds.coins],
          ['openPrice', words.kinds.openPrice],
          ['open', words.kinds.open],
        ]}
        onValue={(kind) => change({ kind })}
      />
      {draft.kind === 'price' || draft.kind === 'coins' ? (
        <TextInput
          id="link-amount"
          label={words.amount}
          isMono
          value={draft.amount}
          error={error('amount') ?? (error('price.currency') === undefined ? error('price') : undefined)}
          onValue={(amount) => change({ amount })}
        />
      ) : null}
      {draft.kind === 'price' || draft.kind === 'openPrice' ? (
        <TextInput
          id="link-price-currency"
          label={words.priceCurrency}
          isMono
          value={draft.priceCurrency}
          error={error('price.currency')}
          onValue={(priceCurrency) => change({ priceCurrency })}
        />
      ) : null}
      {draft.kind === 'coins' ? (
        <Select
          id="link-coin"
          label={words.coin}
          value={draft.coin}
          options={[
            ['BTC', 'BTC'],
            ['LTC', 'LTC'],
          ]}
          onValue={(coin) => change({ coin })}
        />
      ) : null}
    </>
  );
}

function UseFields({ draft, error, change }: FieldsProps) {
  const { language } = useSignedInAccount();
  const words = LINKS_TEXTS[language];
  return (
    <>
      <Select
        id="link-use"
        label={words.use}
        value={draft.use}
        options={[
          ['repeated', words.uses.repeated],
          ['single', words.uses.single],
          ['stock', words.uses.stock],
        ]}
        onValue={(use) => change({ use })}
      />
      {draft.use === 'stock' ? (
        <TextInput
          id="link-stock"
          label={words.stock}
          type="number"
          value={draft.stock}
          error={error('stock')}
          onValue={(stock) => change({ stock })}
        />
      ) : null}
    </>
  );
}
