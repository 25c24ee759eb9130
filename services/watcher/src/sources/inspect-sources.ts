import type { Currency } from '@paywatch/domain/values';
import type { Clock } from '@paywatch/runtime/process';
import type { Store } from '@paywatch/store';
import { saveSourceReports, type SourceReport } from '@paywatch/store/chain';
import { inspectPostgres } from '@paywatch/store/postgres';
import { measureSkewMs } from './clock-skew.ts';
import type { SourcePool } from './source-pool.ts';

/** The largest value of the column; a larger skew gives an operator no further information. */
const MAX_SKEW_MS = 2 ** 31 - 1;

/** Measures the clocks of the sources and of Postgres, and stores the state of each source. */
export type SourceInspector = {
  /** Inspects all sources once and stores the result for the operator. Safe in any number of watchers. */
  inspect(): Promise<void>;
  /** How far the clock of Postgres is ahead of this process's clock; null before the first measurement. */
  postgresSkewMs(): number | null;
  /** How far the clock of the current source is ahead of that of Postgres; 0 while it is unknown. */
  sourceSkewMs(currency: Currency): number;
};

/** Makes an inspector, which measures nothing before the first `inspect`. */
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
        pool
          .states()
          .map(({ name, fault, invalidData, isRead, isCutOff, skewMs, duplicateOf }): SourceReport => {
            const ahead = fromPostgres(skewMs);
            return {
              currency,
              name,
              fault,
              invalidData,
              isCutOff: isRead && isCutOff,
              skewMs: ahead === null ? null : Math.max(-MAX_SKEW_MS, Math.min(MAX_SKEW_MS, ahead)),
              duplicateOf,
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
