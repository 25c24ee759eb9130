import { randomToken } from '@paywatch/runtime/security';
import { byCredential } from '@paywatch/store/accounts';
import { createProject as create } from '@paywatch/store/members';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { projectSummary } from './project-summary.ts';

/** Creates a further project of the caller's account. */
export function createProject({ store, config }: Dependencies): OperationHandler<'createProject'> {
  return async ({ caller, body, context }) => {
    const project = await create(store, byCredential(caller, context.address), {
      accountId: caller.accountId,
      name: body.name,
      donateToken: randomToken(16),
      overlayToken: randomToken(16),
      trialDays: config.env.TRIAL_DAYS,
    });
    return { status: 201, body: projectSummary(project) };
  };
}
