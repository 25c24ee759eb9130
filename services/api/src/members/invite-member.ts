import { byRecentProof } from '@paywatch/store/accounts';
import { inviteMember as invite } from '@paywatch/store/members';
import { assertMailEnabled } from '../auth/email/mail-enabled.ts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { invitationView } from './member-view.ts';

/** Invites somebody to the project by mail. */
export function inviteMember({ store, config }: Dependencies): OperationHandler<'inviteMember'> {
  return async ({ caller, body: { email, role }, context }) => {
    assertMailEnabled(config);
    const { accountId, projectId } = caller;
    const authorize = byRecentProof(caller, context.address);
    const invitation = await invite(store, authorize, { projectId, accountId, email, role });
    return { status: 201, body: invitationView(invitation) };
  };
}
