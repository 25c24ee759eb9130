import type { NewApiKeyView, Scope } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Form, Select, SubmitButton } from '../../parts/form.tsx';
import { SecretBox } from '../../parts/secret-box.tsx';
import { useSubmit } from '../../api/use-submit.ts';

/** Creates an API key and shows it once. */
export function KeyForm({ onCreated }: { onCreated?: () => void }) {
  const { api, texts, refresh } = useSignedInAccount();
  const [scope, setScope] = useState<Scope>('full');
  const submit = useSubmit<NewApiKeyView>();
  const create = async () => {
    const created = await submit.send(() => api.createApiKey({ scope }));
    if (created === null) return;
    onCreated?.();
    await refresh();
  };
  if (submit.value !== null) {
    return <SecretBox label={texts.keys.token} value={submit.value.token} testId="api-key-token" />;
  }
  return (
    <Form testId="key-form" problem={submit.problem} onSubmit={() => void create()}>
      <Select
        id="scope"
        label={texts.keys.scope}
        value={scope}
        options={[
          ['full', texts.keys.scopes.full],
          ['invoices', texts.keys.scopes.invoices],
        ]}
        onValue={setScope}
      />
      <SubmitButton isBusy={submit.isBusy} testId="key-create">
        {texts.keys.create}
      </SubmitButton>
    </Form>
  );
}
