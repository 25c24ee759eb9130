import type { MembersView, MemberView } from '@paywatch/domain/contract';
import { useLoad, type Loaded } from '../../api/use-load.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Empty, Panel, Screen, WhenLoaded } from '../../parts/panel.tsx';
import { useMayCall } from '../../parts/may.tsx';
import { InvitationsPanel } from './invitations-panel.tsx';
import { LeavePanel } from './leave-panel.tsx';
import { MemberList } from './member-list.tsx';
import { MEMBERS_TEXTS } from './members-texts.ts';

/** Who works in the project. Owners invite, change and remove members; everybody else reads the list and can leave. */
export function MembersScreen() {
  const { api, language } = useSignedInAccount();
  const words = MEMBERS_TEXTS[language];
  const loaded = useLoad(() => api.listMembers(), [api]);
  return (
    <Screen title={words.heading} testId="members">
      <WhenLoaded loaded={loaded}>{(view) => <Members view={view} reload={loaded.reload} />}</WhenLoaded>
    </Screen>
  );
}

type MembersProps = { view: MembersView; reload: Loaded<MembersView>['reload'] };

function Members({ view: { members, invitations }, reload }: MembersProps) {
  const { language, me } = useSignedInAccount();
  const words = MEMBERS_TEXTS[language];
  const mayInvite = useMayCall('inviteMember');
  return (
    <>
      <Panel testId="member-panel">
        <p class="quiet" dir="auto">
          {words.lead(me.project.name ?? words.thisProject)}
        </p>
        <MemberList members={members} reload={reload} />
        {members.length > 1 ? null : (
          <Empty>
            <p>{words.alone}</p>
            {mayInvite ? <p>{words.aloneNext}</p> : null}
          </Empty>
        )}
      </Panel>
      {mayInvite ? <InvitationsPanel invitations={invitations} reload={reload} /> : null}
      {members.some(isYouAndMayLeave) ? <LeavePanel /> : null}
    </>
  );
}

/** The account that created the project stays. */
function isYouAndMayLeave({ is_you: isYou, id }: MemberView): boolean {
  return isYou && id !== null;
}
