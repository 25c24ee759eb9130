import { listProjects as list } from '@paywatch/store/members';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { projectSummary } from './project-summary.ts';

/** The projects that the caller may act on. */
export function listProjects({ store }: Dependencies): OperationHandler<'listProjects'> {
  return async ({ caller }) => {
    const projects = await list(store, caller.accountId);
    return { status: 200, body: { data: projects.map(projectSummary) } };
  };
}
