import type { InvoiceStatus, InvoiceType } from '@paywatch/domain/contract';
import { CURRENCIES } from '@paywatch/domain/coins';
import { useEffect, useState } from 'preact/hooks';
import { useKnownAccount } from '../../app/account-context.ts';
import { filtersPath, filtersQuery, readFilters, type InvoiceFilters } from './invoice-filters.ts';
import { InvoiceTable } from './invoice-table.tsx';
import { Checkbox, Form, Select, SubmitButton, TextInput } from '../../parts/form.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { usePages } from '../../api/use-pages.ts';

const STATUSES: readonly InvoiceStatus[] = [
  'new',
  'pending',
  'confirmed',
  'underpaid',
  'expired',
  'late_payment',
];
const TYPES: readonly InvoiceType[] = ['order', 'donation'];

/** Every invoice, with filters that the address keeps. */
export function InvoicesScreen() {
  const { api, texts, place } = useKnownAccount();
  const filters = readFilters(place.query);
  const invoices = usePages(
    (cursor) => api.listInvoices({ ...filtersQuery(filters), cursor }),
    [api, place.query.toString()],
  );
  const isFiltered = filtersPath(filters) !== '/account/invoices';
  const create = (
    <a class="button button--small" href="/account/invoices/new" data-testid="new-invoice-link">
      {texts.invoices.create}
    </a>
  );
  return (
    <Screen title={texts.invoices.heading} actions={create} testId="invoices">
      <FilterForm filters={filters} isOpen={isFiltered} />
      <Panel>
        <WhenLoaded loaded={invoices}>
          {(data) =>
            data.length > 0 ? (
              <InvoiceTable invoices={data} label={texts.invoices.heading} />
            ) : (
              <NoInvoices isFiltered={isFiltered} />
            )
          }
        </WhenLoaded>
        <MoreButton pages={invoices} />
      </Panel>
    </Screen>
  );
}

function NoInvoices({ isFiltered }: { isFiltered: boolean }) {
  const words = useKnownAccount().texts.invoices;
  return (
    <Empty>
      <p>{isFiltered ? words.emptyFiltered : words.empty}</p>
      <a class="link" href={isFiltered ? '/account/invoices' : '/account/invoices/new'}>
        {isFiltered ? words.clear : words.create}
      </a>
    </Empty>
  );
}

function FilterForm({ filters, isOpen }: { filters: InvoiceFilters; isOpen: boolean }) {
  const { texts, navigate, place } = useKnownAccount();
  const [draft, setDraft] = useState(filters);
  // Only at first: closing it over who just cleared the filters would take the focus from them.
  const [isOpenAtFirst] = useState(isOpen);
  // The address may change without the form: by a link, or on the way back.
  useEffect(() => setDraft(filters), [place.query.toString()]);
  const words = texts.invoices;
  const set = (change: Partial<InvoiceFilters>) => setDraft((before) => ({ ...before, ...change }));
  const choices = (values: readonly string[], names: Readonly<Record<string, string>>) => [
    ['', texts.common.any] as const,
    ...values.map((value) => [value, names[value] ?? value] as const),
  ];
  return (
    <details class="filters" open={isOpenAtFirst} data-testid="filters">
      <summary data-testid="filters-summary">{words.filters}</summary>
      <Form testId="filter-form" onSubmit={() => navigate(filtersPath(draft))}>
        <div class="filters__fields">
          <Select
            id="status"
            label={words.status}
            value={draft.status}
            options={choices(STATUSES, texts.statuses)}
            onValue={(status) => set({ status })}
          />
          <Select
            id="type"
            label={words.type}
            value={draft.type}
            options={choices(TYPES, texts.types)}
            onValue={(type) => set({ type })}
          />
          <Select
            id="currency"
            label={words.currency}
            value={draft.currency}
            options={choices(CURRENCIES, {})}
            onValue={(currency) => set({ currency })}
          />
          <TextInput
            id="order_id"
            label={words.orderId}
            value={draft.order_id}
            onValue={(orderId) => set({ order_id: orderId })}
          />
          <TextInput
            id="from"
            label={words.from}
            type="date"
            value={draft.from}
            onValue={(from) => set({ from })}
          />
          <TextInput id="to" label={words.to} type="date" value={draft.to} onValue={(to) => set({ to })} />
        </div>
        <Checkbox
          id="reversed"
          label={words.reversed}
          isChecked={draft.reversed === 'true'}
          onValue={(isChecked) => set({ reversed: isChecked ? 'true' : '' })}
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
