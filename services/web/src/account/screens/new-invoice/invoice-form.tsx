import { CURRENCIES } from '@paywatch/domain/coins';
import type { InvoiceView } from '@paywatch/domain/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { unitText } from '../../../money/digits.ts';
import { Notice } from '../../../ui/notice.tsx';
import { fieldError } from '../../api/problem-message.ts';
import { retryWhilePoolBusy } from '../../api/retry-while-pool-busy.ts';
import { useSubmit, type Submit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Form, Select, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { emptyInvoiceDraft, invoiceRequest, invoiceUnits, type InvoiceDraft } from './invoice-draft.ts';

/** Creates an invoice for an order; waits for the first addresses of a wallet that was just verified. */
export function InvoiceForm({ onCreated }: { onCreated: (invoice: InvoiceView) => void }) {
  const { texts, me } = useSignedInAccount();
  const [draft, setDraft] = useState(() => emptyInvoiceDraft(me.project));
  const creation = useInvoiceCreation(draft, onCreated);
  return (
    <Form
      testId="invoice-form"
      problem={creation.submit.problem}
      hasInputError={creation.isMalformed}
      onSubmit={() => void creation.create()}
    >
      <InvoiceFields
        draft={draft}
        creation={creation}
        onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
      />
      {creation.isWaiting ? (
        <Notice tone="calm" icon="clock" testId="waiting-for-address">
          {texts.newInvoice.waiting}
        </Notice>
      ) : null}
      <SubmitButton isBusy={creation.submit.isBusy} testId="invoice-create">
        {texts.newInvoice.create}
      </SubmitButton>
    </Form>
  );
}

type InvoiceCreation = {
  readonly submit: Submit<InvoiceView>;
  /** The typed amount is not a number of coins. */
  readonly isMalformed: boolean;
  /** Waiting for a receiving address. */
  readonly isWaiting: boolean;
  readonly create: () => Promise<void>;
};

function useInvoiceCreation(draft: InvoiceDraft, onCreated: (invoice: InvoiceView) => void): InvoiceCreation {
  const { api, refresh } = useSignedInAccount();
  const [isMalformed, setMalformed] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const unmounted = useUnmountSignal();
  const submit = useSubmit<InvoiceView>();
  const create = async () => {
    const units = invoiceUnits(draft);
    setMalformed(units === null);
    if (units === null || submit.isBusy) return;
    const request = invoiceRequest(draft, units);
    const waiting = { signal: unmounted, onWait: () => setWaiting(true) };
    const invoice = await submit.send(() => retryWhilePoolBusy(() => api.createInvoice(request), waiting));
    setWaiting(false);
    if (invoice === null) return;
    // A merchant who has opened another screen meanwhile stays there; the invoice is in the list.
    if (!unmounted.aborted) onCreated(invoice);
    await refresh();
  };
  return { submit, isMalformed, isWaiting, create };
}

/** Aborted when the component unmounts. */
function useUnmountSignal(): AbortSignal {
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  return controller.current.signal;
}

type InvoiceFieldsProps = {
  draft: InvoiceDraft;
  creation: InvoiceCreation;
  onChange: (change: Partial<InvoiceDraft>) => void;
};

function InvoiceFields({ draft, creation, onChange }: InvoiceFieldsProps) {
  const { texts } = useSignedInAccount();
  const words = texts.newInvoice;
  const errorOf = (field: string) => fieldError(creation.submit.problem, field, texts);
  return (
    <>
      <AmountFields draft={draft} creation={creation} onChange={onChange} />
      <TextInput
        id="order_id"
        label={words.orderId}
        hint={words.orderIdHint}
        isOptional
        value={draft.orderId}
        error={errorOf('order_id')}
        onValue={(orderId) => onChange({ orderId })}
      />
      <TextInput
        id="minutes"
        label={words.ttl}
        isOptional
        type="number"
        value={draft.minutes}
        error={errorOf('ttl_seconds')}
        onValue={(minutes) => onChange({ minutes })}
      />
      <TextInput
        id="return_url"
        label={words.returnUrl}
        isOptional
        type="url"
        isMono
        value={draft.returnUrl}
        error={errorOf('return_url')}
        onValue={(returnUrl) => onChange({ returnUrl })}
      />
    </>
  );
}

function AmountFields({ draft, creation, onChange }: InvoiceFieldsProps) {
  const { texts, language } = useSignedInAccount();
  const words = texts.newInvoice;
  const units = invoiceUnits(draft);
  const apiError = fieldError(creation.submit.problem, 'expected_amount', texts);
  return (
    <>
      <Select
        id="currency"
        label={words.currency}
        value={draft.currency}
        options={CURRENCIES.map((currency) => [currency, currency] as const)}
        onValue={(currency) => onChange({ currency })}
      />
      <TextInput
        id="expected_amount"
        label={`${words.amount} (${draft.currency})`}
        isMono
        value={draft.amount}
        error={creation.isMalformed ? words.malformed : apiError}
        {...(units === null ? {} : { hint: unitText(String(units), draft.currency, language) })}
        onValue={(amount) => onChange({ amount })}
      />
    </>
  );
}
