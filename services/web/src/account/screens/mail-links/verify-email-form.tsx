import type { DoneView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { Notice } from '../../../ui/notice.tsx';
import { fieldError } from '../../api/problem-message.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useAccount } from '../../app/account-context.ts';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { readKeptInvitation } from '../../app/kept-invitation.ts';
import { Result } from '../../parts/form/result.tsx';
import { INVITATION_TEXTS } from './invitation-texts.ts';
import { MAIL_LINKS_TEXTS } from './mail-links-texts.ts';

/** Verifies the address with a link and the password. */
export function VerifyEmailForm({ token }: { token: string }) {
  const { api, texts, language } = useAccount();
  const mailLinks = MAIL_LINKS_TEXTS[language];
  const [password, setPassword] = useState('');
  const submit = useSubmit<DoneView>();
  if (submit.value !== null)
    return (
      <Result>
        <Notice tone="calm" icon="check" testId="email-verified">
          {mailLinks.verifyDone}
        </Notice>
        {readKeptInvitation(Date.now()) === null ? null : (
          <a class="button button--main" href="/account/accept-invitation" data-testid="to-invitation">
            {INVITATION_TEXTS[language].continue}
          </a>
        )}
      </Result>
    );
  return (
    <Form
      testId="verify-form"
      problem={submit.problem}
      onSubmit={() => void submit.send(() => api.verifyEmail({ token, password }))}
    >
      <p>{mailLinks.verifyLead}</p>
      <TextInput
        id="password"
        label={texts.login.password}
        type="password"
        autocomplete="current-password"
        value={password}
        error={fieldError(submit.problem, 'password', texts)}
        hint={mailLinks.notYours}
        onValue={setPassword}
      />
      <SubmitButton isBusy={submit.isBusy} testId="verify-submit">
        {mailLinks.verifySubmit}
      </SubmitButton>
    </Form>
  );
}
