import { randomToken } from '@paywatch/runtime/security';
import { byCredential } from '@paywatch/store/accounts';
import { renameProject, rotateToken } from '@paywatch/store/projects';
import type { Dependencies } from '../dependencies.ts';
import { readMe, tokenUrl } from '../me/account-view.ts';
import type { OperationRouter } from '../operation-router.ts';

/** What donors and payers see of a project: its name, and the tokens in its public links. */
export function bindProject(operations: OperationRouter, dependencies: Dependencies): void {
  const { store, config } = dependencies;

  operations.handle({
    updateProject: async ({ caller, body }) => {
      await renameProject(store, byCredential(caller), caller.projectId, body.name);
      const { project } = await readMe(dependencies, caller.projectId);
      return { status: 200, body: project };
    },

    rotateProjectToken: async ({ caller, params: { kind } }) => {
      const token = randomToken(16);
      await rotateToken(store, byCredential(caller), caller.projectId, kind, token);
      return { status: 200, body: { kind, token, url: tokenUrl(config, kind, token) } };
    },
  });
}
