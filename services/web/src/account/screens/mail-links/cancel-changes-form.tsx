import type { CancelledWalletChangesView } from '@paywatch/domain/contract';
import { AddressText } from '../../../ui/address-text.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useSubmit } from '../../api/use-submit.ts';
import { useAccount } from '../../app/account-context.ts';
import { Form, SubmitButton } from '../../parts/form/form.tsx';
import { Result } from '../../parts/form/result.tsx';
import { MAIL_LINKS_TEXTS } from './mail-links-texts.ts';

/** Cancels pending changes of wallets with a link. A button, because scanners of mails open links. */
export function CancelChangesForm({ token }: { token: string }) {
  const { api, language } = useAccount();
  const mailLinks = MAIL_LINKS_TEXTS[language];
  const submit = useSubmit<CancelledWalletChangesView>();
  if (submit.value !== null) return <Cancelled result={submit.value} />;
  return (
    <Form
      testId="cancel-form"
      problem={submit.problem}
      onSubmit={() => void submit.send(() => api.cancelWalletChanges({ token }))}
    >
      <p>{mailLinks.cancelLead}</p>
      <SubmitButton isBusy={submit.isBusy} testId="cancel-submit">
        {mailLinks.cancelSubmit}
      </SubmitButton>
    </Form>
  );
}

function Cancelled({ result: { cancelled } }: { result: CancelledWalletChangesView }) {
  const mailLinks = MAIL_LINKS_TEXTS[useAccount().language];
  return (
    <Result>
      {cancelled.length === 0 ? (
        <Notice tone="act" testId="nothing-cancelled">
          {mailLinks.nothingCancelled}
        </Notice>
      ) : (
        <Notice tone="calm" icon="check" testId="changes-cancelled">
          {mailLinks.cancelDone}
        </Notice>
      )}
      {cancelled.map(({ currency, verification_address: address }) => (
        <p key={currency}>
          <strong>{currency}</strong> <AddressText address={address} />
        </p>
      ))}
      <p>{mailLinks.cancelNext}</p>
      <p>
        <a class="link" href="/account/forgot-password" data-testid="to-reset">
          {mailLinks.forgotTitle}
        </a>
      </p>
    </Result>
  );
}
