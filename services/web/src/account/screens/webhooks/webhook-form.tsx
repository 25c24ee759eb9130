import type { NewWebhookView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { useSignedInAccount } from '../../app/account-context.ts';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { SecretBox } from '../../parts/secret-box.tsx';
import { fieldError } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';

/** Sets the endpoint and shows its secret once. Replacing an endpoint asks first, because its secret is replaced too. */
export function WebhookForm() {
  const { api, texts, me, refresh } = useSignedInAccount();
  const [url, setUrl] = useState('');
  const submit = useSubmit<NewWebhookView>();
  const words = texts.webhooks;
  const known = me.project.webhook;
  const set = async () => {
    if ((await submit.send(() => api.setWebhook(url.trim()))) !== null) await refresh();
  };
  if (submit.value !== null) {
    return (
      <SecretBox
        label={words.secret}
        value={submit.value.secret}
        hint={words.secretHint}
        testId="webhook-secret"
      />
    );
  }
  return (
    <Form
      testId="webhook-form"
      problem={submit.problem}
      onSubmit={() => (known === null ? void set() : undefined)}
    >
      <TextInput
        id="url"
        label={words.url}
        hint={words.urlHint}
        type="url"
        isMono
        value={url}
        error={fieldError(submit.problem, 'url', texts)}
        onValue={setUrl}
      />
      {known === null ? (
        <SubmitButton isBusy={submit.isBusy} testId="webhook-set">
          {words.set}
        </SubmitButton>
      ) : (
        <ConfirmButton
          question={words.replaceAsk(known.url)}
          detail={words.replaceDetail}
          testId="webhook-replace"
          onConfirm={() => void set()}
        >
          {words.set}
        </ConfirmButton>
      )}
    </Form>
  );
}
