import { readStats } from '@paywatch/store/stats';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { ACTIVITY_DAYS, statsView } from './stats-view.ts';

/** The statistics of a project. */
export function getStats({ store }: Dependencies): OperationHandler<'getStats'> {
  return async ({ caller }) => {
    const stats = await store.readLists((from) => readStats(from, caller.projectId, ACTIVITY_DAYS));
    return { status: 200, body: statsView(stats) };
  };
}
