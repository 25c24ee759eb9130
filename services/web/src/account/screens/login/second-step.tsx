import type { PasskeyRequestOptions, SessionView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { useSubmit } from '../../api/use-submit.ts';
import { useAccount } from '../../app/account-context.ts';
import { CodeField } from '../../parts/form/code-field.tsx';
import { Form, SubmitButton } from '../../parts/form/form.tsx';
import { Screen } from '../../parts/panel.tsx';
import { hasPasskeys } from '../../passkeys/has-passkeys.ts';
import { PasskeyButton } from '../../passkeys/passkey-button.tsx';
import { SECOND_STEP_TEXTS } from './second-step-texts.ts';

type SecondStepProps = {
  challenge: string;
  /** Options to solve the challenge with a passkey; null if the account has none. */
  passkey: PasskeyRequestOptions | null;
  onSession: (session: SessionView) => void;
  /** Back to the password. */
  onBack: () => void;
};

/** The second step of a login: a passkey, or a code of the authenticator app. */
export function SecondStep({ challenge, passkey, onSession, onBack }: SecondStepProps) {
  const { api, language } = useAccount();
  const texts = SECOND_STEP_TEXTS[language];
  const options = hasPasskeys() ? passkey : null;
  const [code, setCode] = useState('');
  const submit = useSubmit<SessionView>();
  const verify = async () => {
    const session = await submit.send(() => api.verifyLogin({ challenge, code }));
    if (session !== null) onSession(session);
  };
  const isWrong = submit.problem?.code === 'invalid_code';
  const isOver = submit.problem?.code === 'challenge_expired';
  return (
    <Screen title={texts.title} testId="second-step">
      {options === null ? (
        <p>{texts.lead}</p>
      ) : (
        <>
          <p>{texts.passkeyLead}</p>
          <PasskeyButton
            label="use"
            start={async () => ({ ok: true, value: { options } })}
            finish={(answer) => api.verifyLogin({ challenge, passkey: answer })}
            onDone={onSession}
            testId="second-step-passkey"
          />
        </>
      )}
      <Form
        testId="second-step-form"
        problem={isWrong ? null : submit.problem}
        hasInputError={isWrong}
        onSubmit={() => void verify()}
      >
        {isOver ? null : (
          <>
            <CodeField
              id="code"
              label={texts.code}
              hint={texts.hint}
              value={code}
              error={isWrong ? texts.wrong : undefined}
              onValue={setCode}
            />
            <SubmitButton isBusy={submit.isBusy} testId="second-step-submit">
              {texts.submit}
            </SubmitButton>
          </>
        )}
      </Form>
      <p>
        <button type="button" class="button" data-testid="second-step-back" onClick={onBack}>
          {texts.back}
        </button>
      </p>
      <p class="quiet">{texts.lost}</p>
    </Screen>
  );
}
