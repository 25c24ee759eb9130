import type { Registry } from '@paywatch/runtime/observability';
import type { ServerWatch } from '../postgres/start-checks.ts';
import type { Store } from '../store.ts';
import { registerGauge } from './gauge.ts';

/** Registers whether Postgres and Redis respond to this process. */
export function registerServerMetrics(registry: Registry, store: Store, watch: ServerWatch): void {
  const postgres = { name: 'paywatch_postgres_up', help: 'Whether Postgres responds to this process.' };
  registerGauge(registry, postgres, async () => {
    const isUp = await store.ping().then(
      () => true,
      () => false,
    );
    return [[{}, Number(isUp)]];
  });
  const redis = {
    name: 'paywatch_redis_up',
    help: 'Whether Redis responds to this process; at 0 the process works without Redis.',
  };
  const isUp = () => Object.keys(watch.degradations()).length === 0;
  registerGauge(registry, redis, () => Promise.resolve([[{}, Number(isUp())]]));
}
