import type { ReauthenticationView } from '@paywatch/domain/contract';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useSubmit } from '../../api/use-submit.ts';
import { Form, TextInput } from '../../parts/form/form.tsx';
import { useAccount } from '../account-context.ts';
import { PASSWORD_TEXTS } from './password-texts.ts';

/** Asks for the password before a change. `onEnd`: whether it was right; false if the reader cancelled. */
export function PasswordDialog({ onEnd }: { onEnd: (isProved: boolean) => void }) {
  const { api, texts, language } = useAccount();
  const words = PASSWORD_TEXTS[language];
  const [password, setPassword] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const submit = useSubmit<ReauthenticationView>();
  useEffect(() => dialog.current?.showModal(), []);
  const prove = async () => {
    if ((await submit.send(() => api.confirmPassword(password))) === null) return;
    onEnd(true);
    // Returns the focus to the button of the change.
    dialog.current?.close();
  };
  const isWrong = submit.problem?.code === 'invalid_credentials';
  return (
    <dialog
      class="dialog"
      ref={dialog}
      aria-labelledby={titleId}
      data-testid="confirm-password"
      onClose={() => onEnd(false)}
    >
      <h2 class="dialog__title" id={titleId}>
        {words.title}
      </h2>
      <p>{words.lead}</p>
      <Form
        testId="confirm-password-form"
        problem={isWrong ? null : submit.problem}
        hasInputError={isWrong}
        onSubmit={() => void prove()}
      >
        <TextInput
          id="confirmed_password"
          label={words.password}
          type="password"
          autocomplete="current-password"
          value={password}
          error={isWrong ? words.wrong : undefined}
          takesFocus
          onValue={setPassword}
        />
        <div class="dialog__buttons">
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            {texts.common.cancel}
          </button>
          <button type="submit" class="button button--main" data-testid="confirm-password-submit">
            {words.submit}
          </button>
        </div>
      </Form>
    </dialog>
  );
}
