import { includesRole, type MembersView } from '@paywatch/domain/contract';
import { listInvitations, listMembers as list } from '@paywatch/store/members';
import type { SessionCaller } from '../caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { invitationView, memberView } from './member-view.ts';

/** Who works in the project, and who is invited to it. */
export function listMembers(dependencies: Dependencies): OperationHandler<'listMembers'> {
  return async ({ caller }) => ({ status: 200, body: await readMembers(dependencies, caller) });
}

/** The members of a project, with its invitations for an owner: nobody else needs the addresses of strangers. */
export async function readMembers(
  { store }: Pick<Dependencies, 'store'>,
  caller: Pick<SessionCaller, 'accountId' | 'projectId' | 'role'>,
): Promise<MembersView> {
  const isOwner = includesRole(caller.role, 'owner');
  const [members, invitations] = await Promise.all([
    list(store, caller.projectId),
    isOwner ? listInvitations(store, caller.projectId) : [],
  ]);
  return {
    members: members.map((member) => memberView(member, caller)),
    invitations: invitations.map(invitationView),
  };
}
