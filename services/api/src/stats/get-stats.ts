import { readFiatTotals, readStats } from '@paywatch/store/stats';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { ACTIVITY_DAYS, statsView } from './stats-view.ts';

/** The statistics of a project. */
export function getStats({ store }: Dependencies): OperationHandler<'getStats'> {
  return async ({ caller }) => {
    const [stats, inFiat] = await store.readLists((from) =>
      Promise.all([readStats(from, caller.projectId, ACTIVITY_DAYS), readFiatTotals(from, caller.projectId)]),
    );
    return { status: 200, body: statsView(stats, inFiat) };
  };
}
