import type { ConfirmedFactorView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../../../ui/notice.tsx';
import type { ApiProblem } from '../../../api/api-call.ts';
import type { AccountApi } from '../../../api/api.ts';
import { fieldError } from '../../../api/problem-message.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { Form, SubmitButton, TextInput } from '../../../parts/form/form.tsx';
import { CancelButton } from './cancel-button.tsx';
import { SECOND_FACTORS_TEXTS } from './second-factors-texts.ts';

type AddPasskeyProps = {
  /** The recovery codes come with the first factor only. */
  onAdded: (recoveryCodes: readonly string[] | null) => void;
  onCancel: () => void;
};

/** What can go wrong: an error of the API, no passkey from the browser, or one that the account has already. */
type Failure = ApiProblem | 'none' | 'exists';

/** Adds a passkey: name and password, then the browser's own dialog. */
export function AddPasskey({ onAdded, onCancel }: AddPasskeyProps) {
  const { api, texts: shared, language } = useSignedInAccount();
  const texts = SECOND_FACTORS_TEXTS[language];
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const add = async () => {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    const added = await addPasskey(api, name, password);
    setBusy(false);
    if (typeof added === 'object' && 'factor' in added) onAdded(added.recovery_codes);
    else setFailure(added);
  };
  const problem = typeof failure === 'object' ? failure : null;
  const isWrong = problem?.code === 'invalid_credentials';
  return (
    <Form
      testId="passkey-form"
      problem={isWrong ? null : problem}
      hasInputError={isWrong}
      onSubmit={() => void add()}
    >
      {typeof failure === 'string' ? (
        <Notice tone="act" testId="passkey-failed">
          {failure === 'exists' ? texts.passkeyExists : texts.passkeyNone}
        </Notice>
      ) : null}
      <TextInput
        id="passkey_name"
        label={texts.passkeyName}
        hint={texts.passkeyNameHint}
        value={name}
        error={fieldError(problem, 'name', shared)}
        takesFocus
        onValue={setName}
      />
      <TextInput
        id="passkey_password"
        label={texts.password}
        type="password"
        autocomplete="current-password"
        value={password}
        error={isWrong ? texts.wrongPassword : fieldError(problem, 'current_password', shared)}
        onValue={setPassword}
      />
      <div class="buttons">
        <SubmitButton isBusy={isBusy} testId="passkey-create">
          {texts.createPasskey}
        </SubmitButton>
        <CancelButton onCancel={onCancel} />
      </div>
    </Form>
  );
}

async function addPasskey(
  api: AccountApi,
  name: string,
  password: string,
): Promise<ConfirmedFactorView | Failure> {
  const started = await api.startPasskey({ current_password: password });
  if (!started.ok) return started.problem;
  const passkeys = await import('../../../passkeys/ask-passkey.ts').catch(() => null);
  const passkey = (await passkeys?.makePasskey(started.value.options)) ?? 'none';
  if (typeof passkey === 'string') return passkey;
  const added = await api.addPasskey({ name, passkey });
  return added.ok ? added.value : added.problem;
}
