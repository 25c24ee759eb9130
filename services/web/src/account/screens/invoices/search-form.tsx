import { useEffect, useState } from 'preact/hooks';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { filtersPath, type InvoiceFilters } from './invoice-filters.ts';

/** Searches among the filtered invoices; an empty text ends the search. */
export function SearchForm({ filters }: { filters: InvoiceFilters }) {
  const { texts, navigate } = useSignedInAccount();
  const [text, setText] = useState(filters.search);
  const [isTooShort, setTooShort] = useState(false);
  // A link or the back button changes the URL without this form.
  useEffect(() => setText(filters.search), [filters.search]);
  const words = texts.invoices;
  const search = () => {
    const wanted = text.trim();
    setTooShort(wanted.length === 1);
    if (wanted.length !== 1) navigate(filtersPath({ ...filters, search: wanted }));
  };
  return (
    <Form testId="search-form" onSubmit={search}>
      <div class="search">
        <TextInput
          id="search"
          label={words.search}
          hint={words.searchHint}
          error={isTooShort ? words.searchTooShort : undefined}
          value={text}
          onValue={setText}
        />
        <SubmitButton isBusy={false} testId="search-submit">
          {words.searchButton}
        </SubmitButton>
      </div>
    </Form>
  );
}
