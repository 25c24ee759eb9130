import { byCredential } from '@paywatch/store/accounts';
import { cancelInvitation as cancel } from '@paywatch/store/members';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { invitationView } from './member-view.ts';

/** Cancels an invitation of the project. */
export function cancelInvitation({ store }: Dependencies): OperationHandler<'cancelInvitation'> {
  return async ({ caller, params: { invitationId: publicId }, context }) => {
    const { projectId } = caller;
    const cancelled = await cancel(store, byCredential(caller, context.address), { projectId, publicId });
    return { status: 200, body: invitationView(cancelled) };
  };
}
