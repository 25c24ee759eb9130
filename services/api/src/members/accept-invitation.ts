import { sha256 } from '@paywatch/runtime/security';
import { byCredential } from '@paywatch/store/accounts';
import { acceptInvitation as accept } from '@paywatch/store/members';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { projectSummary } from '../projects/project-summary.ts';

/** Makes the caller a member of the project that a link invites to. */
export function acceptInvitation({ store }: Dependencies): OperationHandler<'acceptInvitation'> {
  return async ({ caller, body, context }) => {
    const { accountId } = caller;
    const authorize = byCredential(caller, context.address);
    const project = await accept(store, authorize, { accountId, tokenHash: sha256(body.token) });
    return { status: 200, body: projectSummary(project) };
  };
}
