import type { NewApiKeyView, Scope } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { useSignedInAccount } from '../../app/account-context.ts';
import type { ApiProblem } from '../../api/api-call.ts';
import { fieldError } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { Checkbox, Form, Select, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { SecretBox } from '../../parts/secret-box.tsx';
import { keyRequest, NEW_KEY, type KeyDraft } from './key-draft.ts';
import { KEYS_TEXTS } from './keys-texts.ts';

/** Creates an API key and shows it once. */
export function KeyForm({ onCreated }: { onCreated?: () => void }) {
  const { api, texts, language, refresh } = useSignedInAccount();
  const words = KEYS_TEXTS[language];
  const [draft, setDraft] = useState(NEW_KEY);
  const submit = useSubmit<NewApiKeyView>();
  const change = (changes: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const create = async () => {
    const created = await submit.send(() => api.createApiKey(keyRequest(draft)));
    if (created === null) return;
    onCreated?.();
    await refresh();
  };
  if (submit.value !== null) {
    return <SecretBox label={words.token} value={submit.value.token} testId="api-key-token" />;
  }
  const props = { draft, problem: submit.problem, onChange: change };
  return (
    <Form testId="key-form" problem={submit.problem} onSubmit={() => void create()}>
      <TextInput
        id="name"
        label={words.name}
        hint={words.nameHint}
        isOptional
        value={draft.name}
        error={fieldError(submit.problem, 'name', texts)}
        onValue={(name) => change({ name })}
      />
      <Access {...props} />
      <Restrictions {...props} />
      <SubmitButton isBusy={submit.isBusy} testId="key-create">
        {words.create}
      </SubmitButton>
    </Form>
  );
}

type PartProps = {
  draft: KeyDraft;
  problem: ApiProblem | null;
  onChange: (changes: Partial<KeyDraft>) => void;
};

/** In the order of the form; the names are those of the contract. */
const SCOPES: readonly Scope[] = [
  'invoices:write',
  'invoices:read',
  'events:read',
  'stats:read',
  'webhooks:write',
  'wallets:write',
];

function Access({ draft, problem, onChange }: PartProps) {
  const { texts, language } = useSignedInAccount();
  const words = KEYS_TEXTS[language];
  const toggle = (scope: Scope, isChecked: boolean) =>
    onChange({
      scopes: isChecked ? [...draft.scopes, scope] : draft.scopes.filter((each) => each !== scope),
    });
  return (
    <>
      <Select
        id="scope"
        label={words.scope}
        value={draft.access}
        options={[
          ['full', words.sets.full],
          ['invoices', words.sets.invoices],
          ['custom', words.sets.custom],
        ]}
        error={draft.access === 'custom' ? fieldError(problem, 'scopes', texts) : undefined}
        onValue={(access) => onChange({ access })}
      />
      {draft.access === 'custom' ? (
        <fieldset class="choices" data-testid="scopes">
          <legend class="label">{words.choose}</legend>
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              id={`scope-${scope}`}
              label={words.scopes[scope]}
              isChecked={draft.scopes.includes(scope)}
              onValue={(isChecked) => toggle(scope, isChecked)}
            />
          ))}
        </fieldset>
      ) : null}
    </>
  );
}

function Restrictions({ draft, problem, onChange }: PartProps) {
  const { texts, language } = useSignedInAccount();
  const words = KEYS_TEXTS[language];
  return (
    <details class="more" data-testid="key-more">
      <summary>{words.more}</summary>
      <div class="form">
        <TextInput
          id="expires_at"
          label={words.expires}
          hint={words.expiresHint}
          isOptional
          type="date"
          value={draft.expires}
          error={fieldError(problem, 'expires_at', texts)}
          onValue={(expires) => onChange({ expires })}
        />
        <TextInput
          id="allowed_addresses"
          label={words.addresses}
          hint={words.addressesHint}
          isOptional
          isMono
          value={draft.addresses}
          error={fieldError(problem, 'allowed_addresses', texts)}
          onValue={(addresses) => onChange({ addresses })}
        />
      </div>
    </details>
  );
}
