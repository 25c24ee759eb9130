import type { DoneView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../../ui/notice.tsx';
import { fieldError } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Form, ProblemNotice, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { Panel } from '../../parts/panel.tsx';

/** The email of the account: whether it is verified, and its change. */
export function EmailPanel() {
  const { texts, me } = useSignedInAccount();
  const { mail_enabled: isMailEnabled, email_verified: isVerified, new_email: newEmail } = me.account;
  return (
    <Panel title={texts.settings.email} testId="email-panel">
      {isMailEnabled ? null : (
        <p class="quiet" data-testid="mail-off">
          {texts.settings.mailOff}
        </p>
      )}
      {isMailEnabled && !isVerified ? <Unverified /> : null}
      {newEmail === null ? null : (
        <Notice tone="waiting" testId="email-pending">
          {texts.settings.emailPending(newEmail)}
        </Notice>
      )}
      {isMailEnabled ? <ChangeEmailForm /> : null}
    </Panel>
  );
}

function Unverified() {
  const { api, texts } = useSignedInAccount();
  const submit = useSubmit<DoneView>();
  return (
    <>
      <ProblemNotice problem={submit.problem} />
      {submit.value === null ? (
        <>
          <p data-testid="email-unverified">{texts.settings.unverified}</p>
          <div class="buttons">
            <button
              type="button"
              class="button"
              data-testid="resend"
              onClick={() => void submit.send(() => api.resendVerification())}
            >
              {texts.settings.resend}
            </button>
          </div>
        </>
      ) : (
        <Notice tone="calm" icon="check" testId="resent">
          {texts.settings.resent}
        </Notice>
      )}
    </>
  );
}

function ChangeEmailForm() {
  const { api, texts, refresh } = useSignedInAccount();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const submit = useSubmit<DoneView>();
  const change = async () => {
    const body = { new_email: email, current_password: password };
    if ((await submit.send(() => api.changeEmail(body))) !== null) await refresh();
  };
  return (
    <Form testId="email-form" problem={submit.problem} onSubmit={() => void change()}>
      <TextInput
        id="new_email"
        label={texts.settings.newEmail}
        hint={texts.settings.newEmailHint}
        type="email"
        autocomplete="email"
        value={email}
        error={fieldError(submit.problem, 'new_email', texts)}
        onValue={setEmail}
      />
      <TextInput
        id="email_password"
        label={texts.settings.current}
        type="password"
        autocomplete="current-password"
        value={password}
        error={fieldError(submit.problem, 'current_password', texts)}
        onValue={setPassword}
      />
      <SubmitButton isBusy={submit.isBusy} testId="email-change">
        {texts.settings.changeEmail}
      </SubmitButton>
    </Form>
  );
}
