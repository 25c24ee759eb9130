import type { Registry } from '@paywatch/runtime/observability';
import { cachedRead } from '@paywatch/runtime/process';
import { countLimitedPools } from '../accounts/address-limits.ts';
import { readPoolFigures, type PoolFigures } from '../pools/pool-health.ts';
import type { Store } from '../store.ts';
import { registerGauge, SHARED_MS, type Sample } from './gauge.ts';

/** Registers the pools as of their last check, summed by currency: labels never name a pool, wallet or project. */
export function registerPoolMetrics(registry: Registry, { sql }: Store): void {
  const figures = cachedRead(() => readPoolFigures(sql), SHARED_MS);
  const ofPools = (name: string, help: string, label: string, samplesOf: (of: PoolFigures) => Sample[]) =>
    registerGauge(registry, { name, help, labelNames: ['currency', label] }, async () =>
      (await figures()).flatMap((of) =>
        samplesOf(of).map(([labels, value]): Sample => [{ currency: of.currency, ...labels }, value]),
      ),
    );
  ofPools(
    'paywatch_pool_addresses',
    'Addresses of open pools by state: free (may be leased now), leased, quarantined.',
    'state',
    ({ free, leased, quarantined }) => samplesBy('state', { free, leased, quarantined }),
  );
  ofPools(
    'paywatch_pools',
    'Open pools by health: ample, low (below a fifth of the gap limit), dry.',
    'health',
    ({ ample, low, dry }) => samplesBy('health', { ample, low, dry }),
  );
  const lowest = {
    name: 'paywatch_pool_lowest_free_share',
    help: 'Lowest ratio of free addresses to the gap limit of any pool.',
    labelNames: ['currency'],
  };
  registerGauge(registry, lowest, async () =>
    (await figures()).map(({ currency, lowestFreeShare }) => [{ currency }, lowestFreeShare]),
  );
  const limited = {
    name: 'paywatch_pools_limited',
    help: "Pools that derive no further addresses because of their account's limit.",
  };
  registerGauge(registry, limited, async () => [[{}, await countLimitedPools({ sql })]]);
}

function samplesBy(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([name, value]) => [{ [label]: name }, value]);
}
