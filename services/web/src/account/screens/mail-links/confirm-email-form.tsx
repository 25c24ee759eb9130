import type { ConfirmedEmailView } from '@paywatch/domain/contract';
import { Notice } from '../../../ui/notice.tsx';
import { useSubmit } from '../../api/use-submit.ts';
import { useAccount } from '../../app/account-context.ts';
import { Form, SubmitButton } from '../../parts/form/form.tsx';
import { MAIL_LINKS_TEXTS } from './mail-links-texts.ts';

/** Confirms a change of email with a link. A button, because scanners of mails open links. */
export function ConfirmEmailForm({ token }: { token: string }) {
  const { api, language } = useAccount();
  const mailLinks = MAIL_LINKS_TEXTS[language];
  const submit = useSubmit<ConfirmedEmailView>();
  if (submit.value !== null)
    return (
      <Notice tone="calm" icon="check" testId={submit.value.changed ? 'email-changed' : 'email-confirmed'}>
        {submit.value.changed ? mailLinks.confirmDone : mailLinks.confirmWaiting}
      </Notice>
    );
  return (
    <Form
      testId="confirm-form"
      problem={submit.problem}
      onSubmit={() => void submit.send(() => api.confirmEmail({ token }))}
    >
      <p>{mailLinks.confirmLead}</p>
      <SubmitButton isBusy={submit.isBusy} testId="confirm-submit">
        {mailLinks.confirmSubmit}
      </SubmitButton>
    </Form>
  );
}
