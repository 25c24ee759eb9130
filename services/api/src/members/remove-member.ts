import { byRecentProof } from '@paywatch/store/accounts';
import { removeMember as remove } from '@paywatch/store/members';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { memberView } from './member-view.ts';

/** Removes a member from the project. */
export function removeMember({ store }: Dependencies): OperationHandler<'removeMember'> {
  return async ({ caller, params: { memberId: publicId }, context }) => {
    const name = { projectId: caller.projectId, publicId };
    const member = await remove(store, byRecentProof(caller, context.address), name);
    return { status: 200, body: memberView(member, caller) };
  };
}
