import type { DoneView } from '@paywatch/domain/contract';
import { LIMITS } from '@paywatch/domain/limits';
import { useState } from 'preact/hooks';
import { fieldError } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useAccount } from '../../app/account-context.ts';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { PasswordStrength } from '../../parts/form/password-strength.tsx';
import { MAIL_LINKS_TEXTS } from './mail-links-texts.ts';

/** Sets a new password with a link, then shows the login. */
export function ResetPasswordForm({ token }: { token: string }) {
  const { api, texts, endSession, language } = useAccount();
  const mailLinks = MAIL_LINKS_TEXTS[language];
  const [password, setPassword] = useState('');
  const submit = useSubmit<DoneView>();
  const reset = async () => {
    const body = { token, new_password: password };
    if ((await submit.send(() => api.resetPassword(body))) !== null) endSession('passwordChanged');
  };
  return (
    <Form testId="reset-form" problem={submit.problem} onSubmit={() => void reset()}>
      <TextInput
        id="new_password"
        label={texts.settings.new}
        hint={texts.login.passwordHint(LIMITS.password.minLength)}
        type="password"
        autocomplete="new-password"
        value={password}
        error={fieldError(submit.problem, 'new_password', texts)}
        onValue={setPassword}
      />
      <PasswordStrength password={password} />
      <SubmitButton isBusy={submit.isBusy} testId="reset-submit">
        {mailLinks.resetSubmit}
      </SubmitButton>
    </Form>
  );
}
