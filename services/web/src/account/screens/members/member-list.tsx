import type { MemberView } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { isolated } from '../../../ui/isolated.ts';
import { Moment } from '../../../ui/moment.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Badge } from '../../parts/badge.tsx';
import { useMayCall } from '../../parts/may.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { ProblemNotice } from '../../parts/form/form.tsx';
import { Result } from '../../parts/form/result.tsx';
import { ChangeRole } from './change-role.tsx';
import { MEMBERS_TEXTS } from './members-texts.ts';
import { ROLE_TEXTS } from './role-texts.ts';

type ListProps = { members: readonly MemberView[]; reload: () => Promise<void> };

/** The members with their roles. For owners, each with buttons that change the role and remove the member. */
export function MemberList({ members, reload }: ListProps) {
  const { api, language } = useSignedInAccount();
  const words = MEMBERS_TEXTS[language];
  const removal = useSubmit<MemberView>();
  const [removed, setRemoved] = useState<string | null>(null);
  const remove = async ({ id, email }: MemberView) => {
    if (id === null) return;
    const isDone = (await removal.send(() => api.removeMember(id))) !== null;
    setRemoved(isDone ? email : null);
    // Reload after a failure, too: the member may have left meanwhile.
    await reload();
  };
  const isGone = removal.problem?.code === 'member_not_found';
  return (
    <>
      {removed === null ? null : (
        <Result key={removed}>
          <Notice tone="calm" icon="check" testId="member-removed">
            {words.removed(isolated(removed))}
          </Notice>
        </Result>
      )}
      {isGone ? <Notice tone="waiting">{words.gone}</Notice> : <ProblemNotice problem={removal.problem} />}
      <ul class="people" data-testid="member-list">
        {members.map((member) => (
          <Member key={member.id} member={member} onChanged={reload} onRemove={() => void remove(member)} />
        ))}
      </ul>
    </>
  );
}

type MemberProps = { member: MemberView; onChanged: () => Promise<void>; onRemove: () => void };

function Member({ member, onChanged, onRemove }: MemberProps) {
  const { language } = useSignedInAccount();
  const words = MEMBERS_TEXTS[language];
  const { email, role, is_you: isYou, id } = member;
  const isControlled = useMayCall('updateMember') && id !== null && !isYou;
  return (
    <li class="people__one" data-testid="member">
      <div class="people__who">
        <strong dir="auto">{email}</strong> {isYou ? <Badge tone="open">{words.you}</Badge> : null}{' '}
        <Badge tone="calm" testId="member-role">
          {ROLE_TEXTS[language][role].name}
        </Badge>
        <p class="quiet">
          {id === null ? words.creator : words.joined} <Moment at={member.joined_at} language={language} />
        </p>
      </div>
      {isControlled ? (
        <div class="buttons">
          <ChangeRole memberId={id} member={member} onChanged={onChanged} />
          <ConfirmButton
            question={words.removeAsk(isolated(email))}
            detail={[words.removeDetail, words.stays[role]]}
            testId="member-remove"
            onConfirm={onRemove}
          >
            {words.remove}
          </ConfirmButton>
        </div>
      ) : null}
    </li>
  );
}
