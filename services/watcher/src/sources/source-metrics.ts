import type { Currency } from '@paywatch/domain/values';
import { Gauge, type Registry } from '@paywatch/runtime/observability';
import type { SourceInspector } from './inspect-sources.ts';
import type { SourcePool, SourceState } from './source-pool.ts';

/** Registers the state of this watcher's chain sources and the skew of their clocks. */
export function registerSourceMetrics(
  registry: Registry,
  pools: ReadonlyMap<Currency, SourcePool>,
  inspector: SourceInspector,
): void {
  const ofSources = (name: string, help: string, value: (state: SourceState) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['currency', 'source', 'kind'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [currency, pool] of pools)
          for (const state of pool.states()) {
            const found = value(state);
            if (found !== null) this.set({ currency, source: state.name, kind: state.kind }, found);
          }
      },
    });
  ofSources('paywatch_source_up', 'Whether the source can be read.', ({ fault }) => Number(fault === null));
  ofSources(
    'paywatch_source_lie',
    'Whether the source sent invalid chain data within the last hour.',
    ({ invalidData }) => Number(invalidData !== null),
  );
  ofSources(
    'paywatch_source_cut_off',
    'Whether the current source has had less validated work than another one for ten minutes.',
    ({ isRead, isCutOff }) => Number(isRead && isCutOff),
  );
  ofSources(
    'paywatch_source_skew_seconds',
    'How far the clock of the source is ahead of this process.',
    ({ skewMs }) => (skewMs === null ? null : skewMs / 1000),
  );
  registerPostgresSkew(registry, inspector);
}

function registerPostgresSkew(registry: Registry, inspector: SourceInspector): Gauge {
  return new Gauge({
    name: 'paywatch_postgres_skew_seconds',
    help: 'How far the clock of Postgres is ahead of this process.',
    registers: [registry],
    collect() {
      const skewMs = inspector.postgresSkewMs();
      if (skewMs === null) this.remove();
      else this.set(skewMs / 1000);
    },
  });
}
