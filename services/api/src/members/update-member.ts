import { byRecentProof } from '@paywatch/store/accounts';
import { updateMember as update } from '@paywatch/store/members';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { memberView } from './member-view.ts';

/** Changes the role of a member. */
export function updateMember({ store }: Dependencies): OperationHandler<'updateMember'> {
  return async ({ caller, params: { memberId: publicId }, body, context }) => {
    const name = { projectId: caller.projectId, publicId };
    const member = await update(store, byRecentProof(caller, context.address), name, body.role);
    return { status: 200, body: memberView(member, caller) };
  };
}
