import type { Currency } from '@paywatch/domain/values';
import type { Clock } from '@paywatch/runtime/process';
import type { Store } from '@paywatch/store';
import { saveSourceReports, type SourceReport } from '@paywatch/store/chain';
import { inspectPostgres } from '@paywatch/store/postgres';
import { measureSkewMs } from './clock-skew.ts';
import type { SourcePool } from './source-pool.ts';

/** What the column holds: more says no more to an operator. */
const MAX_SKEW_MS = 2 ** 31 - 1;

/** Measures the clocks of sources and of Postgres, and keeps how the sources stand. */
export type SourceInspector = {
  /** Inspects all sources once, and reports them to the operator. Any number of watchers. */
  inspect(): Promise<void>;
  /** How far Postgres's clock is ahead of this process's; null before the first measurement. */
  postgresSkewMs(): number | null;
  /** How far the clock of the source that is read is ahead of Postgres's; 0 while that is not known. */
  sourceSkewMs(currency: Currency): number;
};

/** Measures nothing before the first `inspect`. */
export function createSourceInspector(
  store: Store,
  clock: Clock,
  pools: ReadonlyMap<Currency, SourcePool>,
): SourceInspector {
  let postgresMs: number | null = null;
  const fromPostgres = (skewMs: number | null): number | null =>
    skewMs === null || postgresMs === null ? null : Math.round(skewMs - postgresMs);
  return {
    inspect: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.inspect()));
      postgresMs = await measureSkewMs(clock, async () => (await inspectPostgres(store)).nowMs);
      const reports = [...pools].flatMap(([currency, pool]) =>
        pool.states().map(({ name, fault, lie, isRead, isCutOff, skewMs, twin }): SourceReport => {
          const ahead = fromPostgres(skewMs);
          return {
            currency,
            name,
            fault,
            lie,
            isCutOff: isRead && isCutOff,
            skewMs: ahead === null ? null : Math.max(-MAX_SKEW_MS, Math.min(MAX_SKEW_MS, ahead)),
            twin,
          };
        }),
      );
      await saveSourceReports(store.sql, reports);
    },
    postgresSkewMs: () => postgresMs,
    sourceSkewMs: (currency) => {
      const read = pools
        .get(currency)
        ?.states()
        .find(({ isRead }) => isRead);
      return fromPostgres(read?.skewMs ?? null) ?? 0;
    },
  };
}
