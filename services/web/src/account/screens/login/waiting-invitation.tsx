import { Notice } from '../../../ui/notice.tsx';
import { useAccount } from '../../app/account-context.ts';
import { INVITATION_TEXTS } from '../mail-links/invitation-texts.ts';

/** Says which account an invitation needs, above the form that logs in or registers. */
export function WaitingInvitation() {
  const { language } = useAccount();
  return (
    <Notice tone="calm" testId="invitation-waits">
      {INVITATION_TEXTS[language].waiting}
    </Notice>
  );
}
