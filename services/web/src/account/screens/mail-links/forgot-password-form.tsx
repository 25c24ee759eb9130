import type { DoneView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../../ui/notice.tsx';
import { fieldError } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useAccount } from '../../app/account-context.ts';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { MAIL_LINKS_TEXTS } from './mail-links-texts.ts';

/** Asks for a link to reset the password. */
export function ForgotPasswordForm() {
  const { api, texts, language } = useAccount();
  const mailLinks = MAIL_LINKS_TEXTS[language];
  const [email, setEmail] = useState('');
  const submit = useSubmit<DoneView>();
  if (submit.value !== null)
    return (
      <Notice tone="calm" icon="check" testId="link-sent">
        {mailLinks.forgotDone}
      </Notice>
    );
  return (
    <Form
      testId="forgot-form"
      problem={submit.problem}
      onSubmit={() => void submit.send(() => api.forgotPassword(email))}
    >
      <p>{mailLinks.forgotLead}</p>
      <TextInput
        id="email"
        label={texts.login.email}
        type="email"
        autocomplete="username"
        value={email}
        error={fieldError(submit.problem, 'email', texts)}
        onValue={setEmail}
      />
      <SubmitButton isBusy={submit.isBusy} testId="forgot-submit">
        {mailLinks.forgotSubmit}
      </SubmitButton>
    </Form>
  );
}
