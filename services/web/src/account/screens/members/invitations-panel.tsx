import type { INVITATION_DAYS, InvitationView } from '@paywatch/domain/contract';
import { isolated } from '../../../ui/isolated.ts';
import { Moment } from '../../../ui/moment.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { ProblemNotice } from '../../parts/form/form.tsx';
import { Panel } from '../../parts/panel.tsx';
import { InviteForm } from './invite-form.tsx';
import { MEMBERS_TEXTS } from './members-texts.ts';
import { ROLE_TEXTS } from './role-texts.ts';

type PanelProps = { invitations: readonly InvitationView[]; reload: () => Promise<void> };

/** The number in the contract; importing the value would add the whole contract to the page. */
const DAYS: typeof INVITATION_DAYS = 7;

/** The form that invites somebody, and the invitations that wait. */
export function InvitationsPanel({ invitations, reload }: PanelProps) {
  const { language, me } = useSignedInAccount();
  const words = MEMBERS_TEXTS[language];
  const { mail_enabled: isMailEnabled, email_verified: isVerified } = me.account;
  return (
    <>
      <Panel title={words.invite} testId="invite">
        {!isMailEnabled ? (
          <p data-testid="invite-mail-off">{words.mailOff}</p>
        ) : !isVerified ? (
          <p data-testid="invite-unverified">
            {words.unverified}{' '}
            <a class="link" href="/account/settings">
              {words.toSettings}
            </a>
          </p>
        ) : (
          <>
            <p class="quiet">{words.inviteLead(DAYS)}</p>
            <InviteForm onInvited={reload} />
          </>
        )}
      </Panel>
      <Panel title={words.invitations} testId="invitations">
        <Invitations invitations={invitations} reload={reload} />
      </Panel>
    </>
  );
}

function Invitations({ invitations, reload }: PanelProps) {
  const { api, language } = useSignedInAccount();
  const words = MEMBERS_TEXTS[language];
  const submit = useSubmit<InvitationView>();
  const cancel = async (id: string) => {
    await submit.send(() => api.cancelInvitation(id));
    // Reload after a failure, too: the invitation may have been accepted meanwhile.
    await reload();
  };
  const isGone = submit.problem?.code === 'invitation_not_found';
  return (
    <>
      {isGone ? (
        <Notice tone="waiting">{words.cancelled}</Notice>
      ) : (
        <ProblemNotice problem={submit.problem} />
      )}
      {invitations.length === 0 ? (
        <p class="quiet" data-testid="no-invitations">
          {words.none}
        </p>
      ) : (
        <ul class="people" aria-label={words.invitationsWait}>
          {invitations.map((invitation) => (
            <Invitation
              key={invitation.id}
              invitation={invitation}
              onCancel={() => void cancel(invitation.id)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

type InvitationProps = { invitation: InvitationView; onCancel: () => void };

function Invitation({ invitation: { email, role, expires_at: expiresAt }, onCancel }: InvitationProps) {
  const { language } = useSignedInAccount();
  const words = MEMBERS_TEXTS[language];
  return (
    <li class="people__one" data-testid="invitation">
      <div class="people__who">
        <strong dir="auto">{email}</strong> <Badge tone="waiting">{ROLE_TEXTS[language][role].name}</Badge>
        <p class="quiet">
          {words.expires} <Moment at={expiresAt} language={language} />
        </p>
      </div>
      <ConfirmButton
        question={words.cancelAsk(isolated(email))}
        detail={words.cancelDetail}
        testId="invitation-cancel"
        onConfirm={onCancel}
      >
        {words.cancel}
      </ConfirmButton>
    </li>
  );
}
