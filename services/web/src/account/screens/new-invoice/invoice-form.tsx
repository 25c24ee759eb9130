import { CURRENCIES } from '@paywatch/domain/coins';
import type { CreateInvoiceInput, Currency, InvoiceView } from '@paywatch/domain/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { draftUnits } from '../../../donate/donation-draft.ts';
import { unitText } from '../../../money/amounts.ts';
import { Notice } from '../../../ui/notice.tsx';
import { useKnownAccount } from '../../app/account-context.ts';
import { awaitAddress } from '../../api/await-address.ts';
import { Form, Select, SubmitButton, TextInput } from '../../parts/form.tsx';
import { faultOf } from '../../api/problem-words.ts';
import { useSubmit } from '../../api/use-submit.ts';

type InvoiceDraft = {
  currency: Currency;
  amount: string;
  orderId: string;
  minutes: string;
  returnUrl: string;
};

/** Creates an invoice for an order; waits by itself for the first addresses of a wallet that was just verified. */
export function InvoiceForm({ onCreated }: { onCreated: (invoice: InvoiceView) => void }) {
  const { api, texts, language, me, refresh } = useKnownAccount();
  const verified = me.project.wallets.find((wallet) => wallet.verified)?.currency ?? 'BTC';
  const [draft, setDraft] = useState<InvoiceDraft>({
    currency: verified,
    amount: '',
    orderId: '',
    minutes: '',
    returnUrl: '',
  });
  const [isMalformed, setMalformed] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const left = useLeaving();
  const submit = useSubmit<InvoiceView>();
  const words = texts.newInvoice;
  const set = (change: Partial<InvoiceDraft>) => setDraft((before) => ({ ...before, ...change }));
  const units = draftUnits(draft.amount, draft.currency) ?? null;

  const create = async () => {
    setMalformed(units === null);
    if (units === null || submit.isBusy) return;
    const request = requestOf(draft, units);
    const waiting = { signal: left, onWait: () => setWaiting(true) };
    const invoice = await submit.send(() => awaitAddress(() => api.createInvoice(request), waiting));
    setWaiting(false);
    if (invoice === null) return;
    // Whoever went elsewhere meanwhile is not fetched back: the invoice stands in the list.
    if (!left.aborted) onCreated(invoice);
    await refresh();
  };
  return (
    <Form
      testId="invoice-form"
      problem={submit.problem}
      isFaulty={isMalformed}
      onSubmit={() => void create()}
    >
      <Select
        id="currency"
        label={words.currency}
        value={draft.currency}
        options={CURRENCIES.map((currency) => [currency, currency] as const)}
        onValue={(currency) => set({ currency })}
      />
      <TextInput
        id="expected_amount"
        label={`${words.amount} (${draft.currency})`}
        isMono
        value={draft.amount}
        fault={isMalformed ? words.malformed : faultOf(submit.problem, 'expected_amount', texts)}
        {...(units === null ? {} : { hint: unitText(String(units), draft.currency, language) })}
        onValue={(amount) => set({ amount })}
      />
      <TextInput
        id="order_id"
        label={words.orderId}
        hint={words.orderIdHint}
        isOptional
        value={draft.orderId}
        fault={faultOf(submit.problem, 'order_id', texts)}
        onValue={(orderId) => set({ orderId })}
      />
      <TextInput
        id="minutes"
        label={words.ttl}
        isOptional
        type="number"
        value={draft.minutes}
        fault={faultOf(submit.problem, 'ttl_seconds', texts)}
        onValue={(minutes) => set({ minutes })}
      />
      <TextInput
        id="return_url"
        label={words.returnUrl}
        isOptional
        type="url"
        isMono
        value={draft.returnUrl}
        fault={faultOf(submit.problem, 'return_url', texts)}
        onValue={(returnUrl) => set({ returnUrl })}
      />
      {isWaiting ? (
        <Notice tone="calm" icon="clock" testId="waiting-for-address">
          {words.waiting}
        </Notice>
      ) : null}
      <SubmitButton isBusy={submit.isBusy} testId="invoice-create">
        {words.create}
      </SubmitButton>
    </Form>
  );
}

/** Aborted once the form is no longer shown. */
function useLeaving(): AbortSignal {
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  return controller.current.signal;
}

function requestOf(
  { currency, orderId, minutes, returnUrl }: InvoiceDraft,
  units: bigint,
): CreateInvoiceInput {
  return {
    currency,
    type: 'order',
    expected_amount: String(units),
    ...(orderId.trim() === '' ? {} : { order_id: orderId.trim() }),
    ...(minutes.trim() === '' ? {} : { ttl_seconds: Math.round(Number(minutes) * 60) }),
    ...(returnUrl.trim() === '' ? {} : { return_url: returnUrl.trim() }),
  };
}
