import type { DoneView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { fieldError } from '../../../api/problem-message.ts';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { forgetSavedFilters } from '../../../app/stored-filters.ts';
import { Form, SubmitButton, TextInput } from '../../../parts/form/form.tsx';
import { LEAVING_TEXTS } from './leaving-texts.ts';

/** Deletes the account: first a button, then a form that asks for its email and the password. */
export function DeleteAccount() {
  const { language } = useSignedInAccount();
  const words = LEAVING_TEXTS[language];
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <h3>{words.delete}</h3>
      <p>{words.deleteDetail}</p>
      <p class="quiet">{words.deleteKept}</p>
      {isOpen ? (
        <DeleteForm onCancel={() => setOpen(false)} />
      ) : (
        <div class="buttons">
          <button type="button" class="button" data-testid="delete-account" onClick={() => setOpen(true)}>
            {words.delete}
          </button>
        </div>
      )}
    </>
  );
}

function DeleteForm({ onCancel }: { onCancel: () => void }) {
  const { api, texts, language, endSession } = useSignedInAccount();
  const words = LEAVING_TEXTS[language];
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const submit = useSubmit<DoneView>();
  const remove = async () => {
    const body = { email, current_password: password };
    if ((await submit.send(() => api.deleteAccount(body))) === null) return;
    forgetSavedFilters();
    endSession('accountDeleted');
  };
  const isWrong = submit.problem?.code === 'invalid_credentials';
  const isOther = fieldError(submit.problem, 'email', texts) !== undefined;
  return (
    <Form
      testId="delete-form"
      problem={isWrong ? null : submit.problem}
      hasInputError={isWrong}
      onSubmit={() => void remove()}
    >
      <TextInput
        id="delete_email"
        label={words.deleteEmail}
        type="email"
        autocomplete="off"
        value={email}
        error={isOther ? words.otherEmail : undefined}
        onValue={setEmail}
        takesFocus
      />
      <TextInput
        id="delete_password"
        label={texts.settings.current}
        type="password"
        autocomplete="current-password"
        value={password}
        error={isWrong ? texts.settings.wrongPassword : fieldError(submit.problem, 'current_password', texts)}
        onValue={setPassword}
      />
      <div class="buttons">
        <SubmitButton isBusy={submit.isBusy} testId="delete-submit">
          {words.deleteNow}
        </SubmitButton>
        <button type="button" class="button" data-testid="delete-cancel" onClick={onCancel}>
          {texts.common.cancel}
        </button>
      </div>
    </Form>
  );
}
