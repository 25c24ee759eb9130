import type { Registry } from '@paywatch/runtime/observability';
import { cachedRead } from '@paywatch/runtime/process';
import {
  readReconciliationFigures,
  type ReconciliationFigures,
} from '../reconciliation/reconciliation-results.ts';
import type { Store } from '../store.ts';
import { registerGauge, SHARED_MS, type Sample } from './gauge.ts';

/** Registers the last run of each chain that covered at least 30 days. There are no values before the first run has ended. */
export function registerReconciliationMetrics(registry: Registry, { sql }: Store): void {
  const figures = cachedRead(() => readReconciliationFigures(sql), SHARED_MS);
  const ofRuns = (name: string, help: string, value: (of: ReconciliationFigures) => number | undefined) =>
    registerGauge(registry, { name, help, labelNames: ['currency'] }, async () =>
      (await figures()).flatMap((of): Sample[] => {
        const found = value(of);
        return found === undefined ? [] : [[{ currency: of.currency }, found]];
      }),
    );
  ofRuns(
    'paywatch_reconciliation_differences',
    'Differences between recorded outcomes and the chain, found by the last reconciliation.',
    ({ last }) => last?.differences,
  );
  ofRuns(
    'paywatch_reconciliation_unverifiable',
    'Outcomes that the last reconciliation could not check because no source has their blocks.',
    ({ last }) => last?.unverifiable,
  );
  ofRuns(
    'paywatch_reconciliation_last_end_timestamp_seconds',
    'When the last reconciliation ended.',
    ({ last }) => (last === null ? undefined : last.endedAt.getTime() / 1000),
  );
  ofRuns(
    'paywatch_reconciliation_overdue_seconds',
    'For how long a reconciliation has been overdue.',
    ({ overdueSeconds }) => overdueSeconds,
  );
}
