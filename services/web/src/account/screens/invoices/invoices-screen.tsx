import { useSignedInAccount } from '../../app/account-context.ts';
import { FilterForm } from './filter-form.tsx';
import { filtersPath, filtersQuery, readFilters } from './invoice-filters.ts';
import { InvoiceTable } from './invoice-table.tsx';
import { InvoiceTotals } from './invoice-totals.tsx';
import { SavedFiltersBar } from './saved-filters-bar.tsx';
import { SearchForm } from './search-form.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { LoadMoreButton } from '../../parts/load-more-button.tsx';
import { May } from '../../parts/may.tsx';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { usePages } from '../../api/use-pages.ts';

/** The list of invoices; its filters are kept in the URL. */
export function InvoicesScreen() {
  const { api, texts, router } = useSignedInAccount();
  const words = texts.invoices;
  const filters = readFilters(router.query);
  const invoices = usePages(
    (cursor) => api.listInvoices({ ...filtersQuery(filters), cursor }),
    [api, router.query.toString()],
  );
  const isFiltered = filtersPath({ ...filters, search: '' }) !== '/account/invoices';
  const isSearch = filters.search !== '';
  const create = (
    <May call="createInvoice">
      <a class="button button--small" href="/account/invoices/new" data-testid="new-invoice-link">
        {words.create}
      </a>
    </May>
  );
  return (
    <Screen title={words.heading} actions={create} testId="invoices">
      <SearchForm filters={filters} />
      <FilterForm filters={filters} isOpen={isFiltered} />
      <SavedFiltersBar filters={filters} />
      <Panel>
        <WhenLoaded loaded={invoices}>
          {(data) =>
            data.length > 0 ? (
              <>
                <InvoiceTable invoices={data} label={words.heading} />
                <InvoiceTotals invoices={data} />
              </>
            ) : (
              <NoInvoices isFiltered={isFiltered || isSearch} hasMore={invoices.hasMore} />
            )
          }
        </WhenLoaded>
        <LoadMoreButton pages={invoices} label={isSearch ? words.searchOlder : undefined} />
      </Panel>
      <May call="exportInvoices">
        <Downloads query={filtersQuery(filters)} />
      </May>
    </Screen>
  );
}

/** Files with everything that matches the filters, not only what is shown. */
function Downloads({ query }: { query: Readonly<Record<string, string>> }) {
  const { api, texts } = useSignedInAccount();
  const words = texts.invoices;
  return (
    <Panel title={words.download} testId="downloads">
      <p class="quiet">{words.downloadHint}</p>
      <div class="buttons">
        {(['invoices', 'payments'] as const).flatMap((kind) =>
          (['csv', 'jsonl'] as const).map((format) => (
            <DownloadButton
              key={`${kind}-${format}`}
              name={`paywatch-${kind}.${format}`}
              load={() => api.exportFile(kind, { ...query, format })}
              testId={`download-${kind}-${format}`}
            >
              {words.files[kind]} ({format === 'csv' ? 'CSV' : 'JSON Lines'})
            </DownloadButton>
          )),
        )}
      </div>
    </Panel>
  );
}

/** A page of a search may be empty although older invoices have not been searched. */
function NoInvoices({ isFiltered, hasMore }: { isFiltered: boolean; hasMore: boolean }) {
  const words = useSignedInAccount().texts.invoices;
  if (hasMore) return <Empty>{words.emptySoFar}</Empty>;
  return (
    <Empty>
      <p>{isFiltered ? words.emptyFiltered : words.empty}</p>
      {isFiltered ? (
        <a class="link" href="/account/invoices">
          {words.clear}
        </a>
      ) : (
        <May call="createInvoice">
          <a class="link" href="/account/invoices/new">
            {words.create}
          </a>
        </May>
      )}
    </Empty>
  );
}
