import type { ConfirmedFactorView, NewFactorView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../../../ui/notice.tsx';
import { QrCode } from '../../../../ui/qr-code.tsx';
import { fieldError } from '../../../api/problem-message.ts';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { CodeField } from '../../../parts/form/code-field.tsx';
import { Form, SubmitButton, TextInput } from '../../../parts/form/form.tsx';
import { CopyField } from '../../../parts/secret-box.tsx';
import { hasPasskeys } from '../../../passkeys/has-passkeys.ts';
import { AddPasskey } from './add-passkey.tsx';
import { CancelButton } from './cancel-button.tsx';
import { SECOND_FACTORS_TEXTS } from './second-factors-texts.ts';

type AddFactorProps = {
  /** The recovery codes come with the first factor only. */
  onAdded: (recoveryCodes: readonly string[] | null) => void;
};

type Step = 'closed' | 'naming' | 'passkey' | 'added' | NewFactorView;

/** Adds an authenticator app in two steps, name and password, then the first code; or a passkey. */
export function AddFactor({ onAdded }: AddFactorProps) {
  const [step, setStep] = useState<Step>('closed');
  const finish = (codes: readonly string[] | null) => {
    setStep('added');
    onAdded(codes);
  };
  // An app that is not confirmed protects nothing, and the next one replaces it.
  const close = () => setStep('closed');
  if (typeof step === 'object') return <ConfirmFactor added={step} onConfirmed={finish} onCancel={close} />;
  if (step === 'naming') return <NameFactor onNamed={setStep} onCancel={close} />;
  if (step === 'passkey') return <AddPasskey onAdded={finish} onCancel={close} />;
  return <AddButtons isAdded={step === 'added'} onStep={setStep} />;
}

function AddButtons({ isAdded, onStep }: { isAdded: boolean; onStep: (step: Step) => void }) {
  const { language } = useSignedInAccount();
  const texts = SECOND_FACTORS_TEXTS[language];
  return (
    <>
      {isAdded ? (
        <Notice tone="calm" icon="check" testId="factor-added">
          {texts.added}
        </Notice>
      ) : null}
      <div class="buttons">
        {hasPasskeys() ? (
          <button type="button" class="button" data-testid="add-passkey" onClick={() => onStep('passkey')}>
            {texts.addPasskey}
          </button>
        ) : null}
        <button type="button" class="button" data-testid="add-factor" onClick={() => onStep('naming')}>
          {texts.add}
        </button>
      </div>
    </>
  );
}

type NameFactorProps = { onNamed: (added: NewFactorView) => void; onCancel: () => void };

function NameFactor({ onNamed, onCancel }: NameFactorProps) {
  const { api, texts: shared, language } = useSignedInAccount();
  const texts = SECOND_FACTORS_TEXTS[language];
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const submit = useSubmit<NewFactorView>();
  const add = async () => {
    const added = await submit.send(() => api.addSecondFactor({ name, current_password: password }));
    if (added !== null) onNamed(added);
  };
  const isWrong = submit.problem?.code === 'invalid_credentials';
  return (
    <Form
      testId="factor-form"
      problem={isWrong ? null : submit.problem}
      hasInputError={isWrong}
      onSubmit={() => void add()}
    >
      <TextInput
        id="factor_name"
        label={texts.name}
        hint={texts.nameHint}
        value={name}
        error={fieldError(submit.problem, 'name', shared)}
        takesFocus
        onValue={setName}
      />
      <TextInput
        id="factor_password"
        label={texts.password}
        type="password"
        autocomplete="current-password"
        value={password}
        error={isWrong ? texts.wrongPassword : fieldError(submit.problem, 'current_password', shared)}
        onValue={setPassword}
      />
      <div class="buttons">
        <SubmitButton isBusy={submit.isBusy} testId="factor-next">
          {texts.next}
        </SubmitButton>
        <CancelButton onCancel={onCancel} />
      </div>
    </Form>
  );
}

type ConfirmFactorProps = {
  added: NewFactorView;
  onConfirmed: (recoveryCodes: readonly string[] | null) => void;
  onCancel: () => void;
};

function ConfirmFactor({ added, onConfirmed, onCancel }: ConfirmFactorProps) {
  const { api, language } = useSignedInAccount();
  const texts = SECOND_FACTORS_TEXTS[language];
  const [code, setCode] = useState('');
  const submit = useSubmit<ConfirmedFactorView>();
  const confirm = async () => {
    const confirmed = await submit.send(() => api.confirmSecondFactor(added.factor_id, code));
    if (confirmed !== null) onConfirmed(confirmed.recovery_codes);
  };
  const isWrong = submit.problem?.code === 'invalid_code';
  return (
    <Form
      testId="confirm-factor-form"
      problem={isWrong ? null : submit.problem}
      hasInputError={isWrong}
      onSubmit={() => void confirm()}
    >
      <p>{texts.scan}</p>
      <div class="factor-qr">
        <QrCode text={added.otpauth_url} label={texts.qr} />
      </div>
      <p class="label">{texts.secret}</p>
      <CopyField value={added.secret} testId="factor-secret" />
      <CodeField
        id="factor_code"
        label={texts.code}
        hint={texts.codeHint}
        value={code}
        error={isWrong ? texts.wrongCode : undefined}
        onValue={setCode}
      />
      <div class="buttons">
        <SubmitButton isBusy={submit.isBusy} testId="factor-confirm">
          {texts.confirm}
        </SubmitButton>
        <CancelButton onCancel={onCancel} />
      </div>
    </Form>
  );
}
