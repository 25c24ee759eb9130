import { useState } from 'preact/hooks';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { filtersPath, type InvoiceFilters } from './invoice-filters.ts';
import {
  MAX_NAME_LENGTH,
  readSavedFilters,
  savedPath,
  withSaved,
  writeSavedFilters,
  type SavedFilters,
} from './saved-filters.ts';

/** The saved filters as links, and a form that saves the present ones. */
export function SavedFiltersBar({ filters }: { filters: InvoiceFilters }) {
  const { me, texts } = useSignedInAccount();
  const words = texts.invoices.saved;
  const owner = { email: me.account.email, projectId: me.project.project_id };
  const [saved, setSaved] = useState(() => readSavedFilters(owner));
  const [isFailed, setFailed] = useState(false);
  // Another tab may have changed them since.
  const keep = (change: (saved: readonly SavedFilters[]) => readonly SavedFilters[]) => {
    const next = change(readSavedFilters(owner));
    const isKept = writeSavedFilters(owner, next);
    setFailed(!isKept);
    if (isKept) setSaved(next);
  };
  const path = filtersPath(filters);
  const query = path.split('?')[1] ?? '';
  const isNew = query !== '' && !saved.some((one) => savedPath(one) === path);
  if (saved.length === 0 && !isNew) return null;
  return (
    <section class="saved-filters" aria-label={words.heading} data-testid="saved-filters">
      {saved.length === 0 ? null : (
        <ul class="saved-filters__list">
          {saved.map((one) => (
            <SavedLink
              key={one.name}
              saved={one}
              isCurrent={savedPath(one) === path}
              onRemove={() => keep((all) => all.filter(({ name }) => name !== one.name))}
            />
          ))}
        </ul>
      )}
      {isNew ? (
        <SaveForm isFailed={isFailed} onSave={(name) => keep((all) => withSaved(all, { name, query }))} />
      ) : null}
    </section>
  );
}

type SavedLinkProps = { saved: SavedFilters; isCurrent: boolean; onRemove: () => void };

function SavedLink({ saved, isCurrent, onRemove }: SavedLinkProps) {
  const words = useSignedInAccount().texts.invoices.saved;
  return (
    <li class="saved-filters__item">
      <a
        class="link"
        href={savedPath(saved)}
        aria-current={isCurrent ? 'page' : undefined}
        data-testid="saved-filter"
      >
        <bdi>{saved.name}</bdi>
      </a>
      <button
        type="button"
        class="button button--small"
        aria-label={words.removeName(saved.name)}
        data-testid="remove-saved-filter"
        onClick={onRemove}
      >
        {words.remove}
      </button>
    </li>
  );
}

type SaveFormProps = { isFailed: boolean; onSave: (name: string) => void };

function SaveForm({ isFailed, onSave }: SaveFormProps) {
  const words = useSignedInAccount().texts.invoices.saved;
  const [name, setName] = useState('');
  const typed = name.trim().slice(0, MAX_NAME_LENGTH);
  return (
    <Form testId="save-filters-form" onSubmit={() => (typed === '' ? undefined : onSave(typed))}>
      <TextInput
        id="filter_name"
        label={words.name}
        hint={words.hint}
        value={name}
        error={isFailed ? words.failed : undefined}
        onValue={setName}
      />
      <SubmitButton isBusy={false} testId="save-filters">
        {words.save}
      </SubmitButton>
    </Form>
  );
}
