import { describeNonPublicAddress, type AllowedHosts } from '@paywatch/domain/webhooks';
import type { Logger, Registry } from '@paywatch/runtime/observability';
import type { Clock } from '@paywatch/runtime/process';
import { createGuardedResolver, type Sealer } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import { createAttempts } from './attempts/attempt-delivery.ts';
import { createAttemptGate, SPREAD_MS } from './attempts/attempt-gate.ts';
import { createBell } from './relay/bell.ts';
import { createDeliveryMetrics } from './attempts/delivery-metrics.ts';
import { consumeDeliveries, openDeliveryQueues } from './relay/delivery-queues.ts';
import { startRelay } from './relay/enqueue-pending.ts';
import { createHandOver } from './relay/hand-over.ts';
import { rememberOpened } from './attempts/remember-opened.ts';
import { createSender } from './http/send-request.ts';

export type WebhookWorkerDeps = {
  store: Store;
  sealer: Sealer;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  /** Whether Redis serves the queue; while it does not, deliveries are made straight from Postgres. */
  isQueueServing: () => boolean;
};

export type WebhookWorkerSettings = {
  /** Attempts in flight in this process; half of them at most to endpoints that are slow. */
  concurrency: number;
  /** Attempts in flight to one endpoint. */
  endpointConcurrency: number;
  queueShards: number;
  allowedHosts: AllowedHosts;
  /** PEM of an authority that is trusted besides those of the runtime, or null. */
  ca: string | null;
  /** Name servers; those of the system when empty. */
  dnsServers: readonly string[];
  /** What an attempt may take in all. */
  deadlineMs: number;
  /** How often a relay looks when nobody calls it. */
  pollMs: number;
  /** What a claim holds beyond the longest that an attempt can take. */
  slackSeconds: number;
};

export const DEFAULT_SETTINGS: WebhookWorkerSettings = {
  concurrency: 1000,
  endpointConcurrency: 10,
  queueShards: 4,
  allowedHosts: new Set(),
  ca: null,
  dnsServers: [],
  deadlineMs: 10_000,
  pollMs: 500,
  slackSeconds: 10,
};

export type WebhookWorker = {
  /** Takes no more work, waits for the attempts in flight, and closes what it opened; the store stays open. */
  stop(): Promise<void>;
};

/** Starts a relay and the consumers of its queue. Any number of processes may do so. */
export async function startWebhookWorker(
  deps: WebhookWorkerDeps,
  settings: WebhookWorkerSettings,
): Promise<WebhookWorker> {
  const { store, logger } = deps;
  const gate = createAttemptGate({
    places: settings.concurrency,
    perEndpoint: settings.endpointConcurrency,
    nowMs: () => performance.now(),
    pull: (projectId, places) => attempts.pull(projectId, places),
    pullStepMs: 8,
  });
  const metrics = createDeliveryMetrics(deps.registry, { inFlight: gate.inFlight });
  const sender = createSender({ ...settings, resolver: createResolver(settings) });
  const queues = openDeliveryQueues(store, settings.queueShards);
  const claimSeconds = (settings.deadlineMs + SPREAD_MS) / 1000 + settings.slackSeconds;
  const attempts = createAttempts({
    ...deps,
    sealer: rememberOpened(deps.sealer),
    sender,
    gate,
    metrics,
    claimSeconds,
    allowedHosts: settings.allowedHosts,
  });
  const handOver = createHandOver({
    queues,
    logger,
    attempt: attempts.attempt,
    isQueueReachable: deps.isQueueServing,
    most: settings.concurrency,
  });
  const relay = await startRelay(
    {
      store,
      queues,
      logger,
      bell: createBell(),
      handOver,
      keepBack: gate.keepBack,
      listBacklogs: gate.listBacklogs,
      enqueued: metrics.enqueued,
    },
    { ...RELAY, pollMs: settings.pollMs },
  );
  const consumers = consumeDeliveries(
    store,
    {
      shards: settings.queueShards,
      concurrency: settings.concurrency,
      onError: (err) => logger.warn({ err }, 'queue failed'),
    },
    attempts.attempt,
  );
  return {
    stop: async () => {
      gate.close();
      await relay.stop();
      await Promise.all([consumers.close(), attempts.settle()]);
      await Promise.all([sender.close(), queues.close()]);
    },
  };
}

/**
 * A short queue: whoever comes new stands behind no more than a moment's work. So a job that was not run within the lease is lost,
 * with the master of its shard as a rule, and its delivery is made without it.
 */
const RELAY = { batchSize: 250, mostQueued: 150, leaseSeconds: 4 };

function createResolver({ dnsServers }: WebhookWorkerSettings) {
  return createGuardedResolver({ describeRefusal: describeNonPublicAddress, servers: dnsServers });
}
