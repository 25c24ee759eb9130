import type { Dependencies } from '../dependencies.ts';
import type { OperationRouter } from '../operation-router.ts';
import { readMe } from './account-view.ts';

/** The account view. */
export function bindMe(operations: OperationRouter, dependencies: Dependencies): void {
  operations.handle({
    getMe: async ({ caller }) => ({
      status: 200,
      body: await readMe(dependencies, caller.projectId),
    }),
  });
}
