import { CURRENCIES } from '@paywatch/domain/coins';
import type { InvoiceStatus, InvoiceType } from '@paywatch/domain/contract';
import { useEffect, useState } from 'preact/hooks';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Checkbox, Form, Select, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { filtersPath, type InvoiceFilters } from './invoice-filters.ts';

const STATUSES: readonly InvoiceStatus[] = [
  'new',
  'pending',
  'confirmed',
  'underpaid',
  'expired',
  'late_payment',
];
const TYPES: readonly InvoiceType[] = ['order', 'donation'];

/** The filters of the invoice list; applying them changes the URL. */
export function FilterForm({ filters, isOpen }: { filters: InvoiceFilters; isOpen: boolean }) {
  const { texts, navigate, router } = useSignedInAccount();
  const [draft, setDraft] = useState(filters);
  // Only the initial state: closing the panel when the filters are cleared would take the focus away.
  const [isOpenAtFirst] = useState(isOpen);
  // A link or the back button changes the URL without this form.
  useEffect(() => setDraft(filters), [router.query.toString()]);
  const words = texts.invoices;
  const change = (changes: Partial<InvoiceFilters>) => setDraft((before) => ({ ...before, ...changes }));
  return (
    <details class="filters" open={isOpenAtFirst} data-testid="filters">
      <summary data-testid="filters-summary">{words.filters}</summary>
      <Form testId="filter-form" onSubmit={() => navigate(filtersPath(draft))}>
        <div class="filters__fields">
          <FilterSelects draft={draft} onChange={change} />
          <FilterInputs draft={draft} onChange={change} />
        </div>
        <Checkbox
          id="reversed"
          label={words.reversed}
          isChecked={draft.reversed === 'true'}
          onValue={(isChecked) => change({ reversed: isChecked ? 'true' : '' })}
        />
        <div class="buttons">
          <SubmitButton isBusy={false} testId="filter-apply">
            {words.apply}
          </SubmitButton>
          <a class="button" href="/account/invoices" data-testid="filter-clear">
            {words.clear}
          </a>
        </div>
      </Form>
    </details>
  );
}

type FilterFieldsProps = { draft: InvoiceFilters; onChange: (change: Partial<InvoiceFilters>) => void };

function FilterSelects({ draft, onChange }: FilterFieldsProps) {
  const { texts } = useSignedInAccount();
  const words = texts.invoices;
  const optionsOf = (values: readonly string[], names: Readonly<Record<string, string>>) => [
    ['', texts.common.any] as const,
    ...values.map((value) => [value, names[value] ?? value] as const),
  ];
  return (
    <>
      <Select
        id="status"
        label={words.status}
        value={draft.status}
        options={optionsOf(STATUSES, texts.statuses)}
        onValue={(status) => onChange({ status })}
      />
      <Select
        id="type"
        label={words.type}
        value={draft.type}
        options={optionsOf(TYPES, texts.types)}
        onValue={(type) => onChange({ type })}
      />
      <Select
        id="currency"
        label={words.currency}
        value={draft.currency}
        options={optionsOf(CURRENCIES, {})}
        onValue={(currency) => onChange({ currency })}
      />
    </>
  );
}

function FilterInputs({ draft, onChange }: FilterFieldsProps) {
  const words = useSignedInAccount().texts.invoices;
  return (
    <>
      <TextInput
        id="order_id"
        label={words.orderId}
        value={draft.order_id}
        onValue={(orderId) => onChange({ order_id: orderId })}
      />
      <TextInput
        id="from"
        label={words.from}
        type="date"
        value={draft.from}
        onValue={(from) => onChange({ from })}
      />
      <TextInput id="to" label={words.to} type="date" value={draft.to} onValue={(to) => onChange({ to })} />
    </>
  );
}
