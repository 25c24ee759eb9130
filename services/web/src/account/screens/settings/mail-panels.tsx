import { useSignedInAccount } from '../../app/account-context.ts';
import { EmailPanel } from './email-panel.tsx';
import { NoticesPanel } from './notices/notices-panel.tsx';

/** What concerns mail: the address, and the notices that go to it. */
export function MailPanels() {
  const { me } = useSignedInAccount();
  return (
    <>
      <EmailPanel />
      {me.account.mail_enabled ? <NoticesPanel /> : null}
    </>
  );
}
