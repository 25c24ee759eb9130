import { readStats } from '@paywatch/store/stats';
import type { Dependencies } from '../dependencies.ts';
import type { OperationRouter } from '../operation-router.ts';
import { ACTIVITY_DAYS, statsView } from './stats-view.ts';

/** The statistics of a project. */
export function bindStats(operations: OperationRouter, { store }: Dependencies): void {
  operations.handle({
    getStats: async ({ caller }) => ({
      status: 200,
      body: statsView(await store.readLists((from) => readStats(from, caller.projectId, ACTIVITY_DAYS))),
    }),
  });
}
