import { byCredential } from '@paywatch/store/accounts';
import { renameProject } from '@paywatch/store/projects';
import type { Dependencies } from '../dependencies.ts';
import { readMe } from '../me/get-me.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Changes the name of a project, which donors and payers see. */
export function updateProject(dependencies: Dependencies): OperationHandler<'updateProject'> {
  return async ({ caller, body, context }) => {
    await renameProject(
      dependencies.store,
      byCredential(caller, context.address),
      caller.projectId,
      body.name,
    );
    const { project } = await readMe(dependencies, caller.projectId);
    return { status: 200, body: project };
  };
}
