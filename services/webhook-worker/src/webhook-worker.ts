import { describeNonPublicAddress, type AllowedHosts } from '@paywatch/domain/webhooks';
import type { Logger, Registry } from '@paywatch/runtime/observability';
import type { Clock } from '@paywatch/runtime/process';
import { createGuardedResolver, type Sealer } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import { createAttempts, type Attempts } from './attempts/attempt-delivery.ts';
import { AttemptGate, SPREAD_MS } from './attempts/attempt-gate.ts';
import { cachedSealer } from './attempts/cached-sealer.ts';
import { createDeliveryMetrics, type DeliveryMetrics } from './attempts/delivery-metrics.ts';
import { createSender } from './http/send-request.ts';
import { consumeDeliveries, openDeliveryQueues, type DeliveryQueues } from './relay/delivery-queues.ts';
import { createDispatcher } from './relay/dispatcher.ts';
import { startOutboxRelay, type OutboxRelay } from './relay/outbox-relay.ts';
import { createWakeSignal } from './relay/wake-signal.ts';

export type WebhookWorkerDeps = {
  store: Store;
  sealer: Sealer;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  /** Whether Redis serves the queue; otherwise deliveries are made from Postgres without it. */
  isQueueServing: () => boolean;
};

export type WebhookWorkerSettings = {
  /** Attempts in flight in this process; slow endpoints get at most half of them. */
  concurrency: number;
  /** Attempts in flight to one endpoint. */
  endpointConcurrency: number;
  queueShards: number;
  allowedHosts: AllowedHosts;
  /** PEM of a certificate authority that is trusted besides those of Node.js, or null. */
  ca: string | null;
  /** Name servers; empty for those of the system. */
  dnsServers: readonly string[];
  /** Deadline of a whole attempt. */
  deadlineMs: number;
  /** How often the relay reads the table without a notification. */
  pollMs: number;
  /** Lease of a claim beyond the longest possible attempt. */
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
  /** Accepts no more work, waits for the attempts in flight and closes the worker's connections. The store stays open. */
  stop(): Promise<void>;
};

/** Starts a relay and the queue consumers. Any number of worker processes may run. */
export async function startWebhookWorker(
  deps: WebhookWorkerDeps,
  settings: WebhookWorkerSettings,
): Promise<WebhookWorker> {
  const { store, logger } = deps;
  const gate = new AttemptGate({
    slots: settings.concurrency,
    slotsPerEndpoint: settings.endpointConcurrency,
    nowMs: () => performance.now(),
    pull: (endpointKey, slots) => attempts.pull(endpointKey, slots),
    pullIntervalMs: 8,
  });
  const metrics = createDeliveryMetrics(deps.registry, { inFlight: () => gate.inFlight });
  const sender = createSender({ ...settings, resolver: createResolver(settings) });
  const attempts = createAttempts({
    ...deps,
    sealer: cachedSealer(deps.sealer),
    sender,
    gate,
    metrics,
    claimSeconds: (settings.deadlineMs + SPREAD_MS) / 1000 + settings.slackSeconds,
    allowedHosts: settings.allowedHosts,
  });
  const queues = openDeliveryQueues(store, settings.queueShards);
  const relay = await startRelay(deps, settings, { gate, attempts, metrics, queues });
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

type RelayParts = {
  gate: AttemptGate;
  attempts: Attempts;
  metrics: DeliveryMetrics;
  queues: DeliveryQueues;
};

function startRelay(
  { store, logger, isQueueServing }: WebhookWorkerDeps,
  { concurrency, pollMs }: WebhookWorkerSettings,
  { gate, attempts, metrics, queues }: RelayParts,
): Promise<OutboxRelay> {
  const dispatch = createDispatcher({
    queues,
    logger,
    attempt: attempts.attempt,
    isQueueReachable: isQueueServing,
    maxLocalAttempts: concurrency,
  });
  return startOutboxRelay(
    {
      store,
      queues,
      logger,
      dispatch,
      wakeSignal: createWakeSignal(),
      shouldDefer: (endpointKey) => gate.shouldDefer(endpointKey),
      listPulledEndpoints: () => gate.listPulledEndpoints(),
      enqueued: metrics.enqueued,
    },
    { ...RELAY, pollMs },
  );
}

/**
 * The queue is short, so a new job waits only a moment. A job that has not run within the lease is lost, usually because its shard's
 * master failed; its delivery is then attempted without the queue.
 */
const RELAY = { batchSize: 250, maxQueued: 150, leaseSeconds: 4 };

function createResolver({ dnsServers }: WebhookWorkerSettings) {
  return createGuardedResolver({ describeRefusal: describeNonPublicAddress, servers: dnsServers });
}
