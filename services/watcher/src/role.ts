import type { Network } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import type { Logger, Registry } from '@paywatch/runtime/observability';
import { systemClock } from '@paywatch/runtime/process';
import type { Role } from '@paywatch/runtime/roles';
import { randomToken } from '@paywatch/runtime/security';
import { openStore, type Store } from '@paywatch/store';
import { loadFollowedBlocks } from '@paywatch/store/chain';
import { startIncidentRecorder } from '@paywatch/store/incidents';
import { registerDeploymentMetrics, registerServerMetrics } from '@paywatch/store/metrics';
import { checkServers } from '@paywatch/store/postgres';
import type { ChainConfig, WatcherConfig, WatcherVariables } from './config.ts';
import { rateOptions } from './rates/rate-options.ts';
import { createSourceInspector } from './sources/inspect-sources.ts';
import { openSources } from './sources/open-sources.ts';
import { registerSourceMetrics } from './sources/source-metrics.ts';
import { startWatcher as startWork } from './watcher.ts';

/** Starts a watcher; it follows the chains when this resolves. Throws if Postgres is unavailable. */
export async function startWatcher(
  { env: config, chains }: WatcherConfig,
  logger: Logger,
  registry: Registry,
): Promise<Role> {
  const store = openStore({
    databaseUrl: config.DATABASE_URL,
    databaseDirectUrl: config.DATABASE_DIRECT_URL,
    redisUrl: config.REDIS_URL,
    queueRedisUrl: config.QUEUE_REDIS_URL,
    redisPrefix: config.REDIS_PREFIX,
    role: 'worker',
    applicationName: 'paywatch-watcher',
    onRedisError: (err) => logger.warn({ err }, 'redis'),
  });
  const watch = await checkServers(store, logger);
  registerServerMetrics(registry, store, watch);
  registerDeploymentMetrics(registry, store);
  const settings = {
    publicUrl: config.PUBLIC_URL,
    toleranceBps: config.TOLERANCE_BPS,
    graceSeconds: config.PAYMENT_GRACE_SECONDS,
    networks: networksOf(config),
  };
  const sources = openAllSources(config, chains, store, logger);
  const inspector = createSourceInspector(store, systemClock, sources);
  registerSourceMetrics(registry, sources, inspector);
  const watcher = startWork(
    {
      store,
      settings,
      logger,
      clock: systemClock,
      secondSourceAbove: secondSourceLimits(chains),
      quarantineSeconds: Math.min(config.QUARANTINE_SECONDS, config.QUARANTINE_DRY_SECONDS),
      accountAddresses: config.ACCOUNT_ADDRESSES,
      sourceSkewMs: inspector.sourceSkewMs,
    },
    {
      sources,
      inspector,
      processId: randomToken(12),
      pollIntervalMs: config.POLL_INTERVAL_MS,
      reconcileHours: config.RECONCILE_HOURS,
      rates: rateOptions(config),
    },
  );
  // Watchers do not know whether mail is configured.
  const incidents = startIncidentRecorder({ store, logger }, null);
  logger.info({ currencies: [...sources.keys()] }, 'watcher started');
  return {
    checks: { postgres: store.ping },
    degradations: watch.degradations,
    shutdownSteps: () => [
      { name: 'watcher', run: watcher.stop },
      { name: 'incidents', run: incidents.stop },
      {
        name: 'sources',
        run: () => Promise.all([...sources.values()].map((source) => source.close())).then(() => {}),
      },
      { name: 'store', run: store.close },
    ],
  };
}

function networksOf(config: WatcherVariables): Record<Currency, Network> {
  return { BTC: config.BTC_NETWORK, LTC: config.LTC_NETWORK };
}

function openAllSources(
  config: WatcherVariables,
  chains: readonly ChainConfig[],
  store: Store,
  logger: Logger,
): Map<Currency, ReturnType<typeof openSources>> {
  return new Map(
    chains.map((chain) => {
      const options = {
        network: networksOf(config)[chain.currency],
        esploraPauseMs: config.ESPLORA_POLL_INTERVAL_MS,
        loadFollowed: () => loadFollowedBlocks(store, chain.currency),
        clock: systemClock,
        logger,
      };
      return [chain.currency, openSources(chain, options)] as const;
    }),
  );
}

/** By currency, the amount above which an order needs a second source. */
function secondSourceLimits(chains: readonly ChainConfig[]): Map<Currency, bigint> {
  return new Map(
    chains.flatMap(({ currency, secondSourceAbove: above }) =>
      above === null ? [] : [[currency, above] as const],
    ),
  );
}
