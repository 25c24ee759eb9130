import { AppError } from '@paywatch/domain/requests';
import { byRecentOperatorProof, findAccount, type OperatedAccount } from '@paywatch/store/accounts';
import { grantSubscription, type AccountIds } from '@paywatch/store/subscriptions';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../invalid-field.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { readDetails, requireAccount } from './account-details.ts';

/** Sets the end of the subscription of a project. */
export function setOperatorSubscription(
  dependencies: Dependencies,
): OperationHandler<'setOperatorSubscription'> {
  const { store, clock } = dependencies;
  return async ({ caller, params, body: { project_id: projectId, until }, context }) => {
    if (until <= clock.nowMs()) throw invalidField('body.until', 'Must be in the future.');
    const account = await requireAccount(dependencies, params.accountId);
    const subscriber = await requireProject(dependencies, account, projectId);
    const authorize = byRecentOperatorProof(caller, context.address);
    await grantSubscription(store, authorize, subscriber, { until: new Date(until) });
    return { status: 200, body: await readDetails(dependencies, account) };
  };
}

async function requireProject(
  { store }: Dependencies,
  account: OperatedAccount,
  projectId: string | undefined,
): Promise<AccountIds> {
  if (projectId === undefined) return account;
  const project = await findAccount(store, account.email, projectId);
  if (project === null) throw new AppError('project_not_found');
  return project;
}
