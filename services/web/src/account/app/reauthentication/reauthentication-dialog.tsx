import type { ReauthenticationView } from '@paywatch/domain/contract';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLoad } from '../../api/use-load.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { CodeField } from '../../parts/form/code-field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { hasPasskeys } from '../../passkeys/has-passkeys.ts';
import { PasskeyButton } from '../../passkeys/passkey-button.tsx';
import { useAccount } from '../account-context.ts';
import { REAUTHENTICATION_TEXTS } from './reauthentication-texts.ts';

/** Asks for a code or a passkey before a change. `onEnd`: whether it was right; false if the reader cancelled. */
export function ReauthenticationDialog({ onEnd }: { onEnd: (isProved: boolean) => void }) {
  const { api, texts, language } = useAccount();
  const words = REAUTHENTICATION_TEXTS[language];
  const [code, setCode] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const submit = useSubmit<ReauthenticationView>();
  const factors = useLoad(() => api.listSecondFactors(), []);
  const hasPasskey = hasPasskeys() && factors.value?.data.some(({ kind }) => kind === 'passkey') === true;
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => {
    onEnd(true);
    // Returns the focus to the button of the change.
    dialog.current?.close();
  };
  const prove = async () => {
    if ((await submit.send(() => api.reauthenticate({ code }))) === null) return;
    close();
  };
  const isWrong = submit.problem?.code === 'invalid_code';
  return (
    <dialog
      class="dialog"
      ref={dialog}
      aria-labelledby={titleId}
      data-testid="reauthentication"
      onClose={() => onEnd(false)}
    >
      <h2 class="dialog__title" id={titleId}>
        {words.title}
      </h2>
      <p>{hasPasskey ? words.passkeyLead : words.lead}</p>
      {hasPasskey ? (
        <PasskeyButton
          label="use"
          start={api.startReauthentication}
          finish={(passkey) => api.reauthenticate({ passkey })}
          onDone={close}
          testId="reauthentication-passkey"
        />
      ) : null}
      <Form
        testId="reauthentication-form"
        problem={isWrong ? null : submit.problem}
        hasInputError={isWrong}
        onSubmit={() => void prove()}
      >
        <CodeField
          id="reauthentication_code"
          label={words.code}
          hint={words.hint}
          value={code}
          error={isWrong ? words.wrong : undefined}
          onValue={setCode}
        />
        <div class="dialog__buttons">
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            {texts.common.cancel}
          </button>
          <button type="submit" class="button button--main" data-testid="reauthentication-submit">
            {words.submit}
          </button>
        </div>
      </Form>
    </dialog>
  );
}
