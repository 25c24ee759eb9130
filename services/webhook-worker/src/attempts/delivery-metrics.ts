import { Counter, Gauge, Histogram, type Registry } from '@paywatch/runtime/observability';

export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

/** Registers the worker's metrics. The gauge calls `read` on each scrape. */
export function createDeliveryMetrics(registry: Registry, read: { inFlight: () => number }) {
  const registers = [registry];
  return {
    inFlight: new Gauge({
      name: 'paywatch_webhook_in_flight',
      help: 'Attempts in flight in this process.',
      registers,
      collect() {
        this.set(read.inFlight());
      },
    }),
    attempts: new Counter({
      name: 'paywatch_webhook_attempts_total',
      help: 'Attempts by outcome: delivered, failed_attempt, given_up, endpoint_gone.',
      labelNames: ['outcome'],
      registers,
    }),
    deferred: new Counter({
      name: 'paywatch_webhook_set_aside_total',
      help: 'Jobs that made no attempt, by reason: busy, claimed, no_endpoint, unreadable_secret.',
      labelNames: ['reason'],
      registers,
    }),
    enqueued: new Counter({
      name: 'paywatch_webhook_enqueued_total',
      help: 'Deliveries that the relay dispatched.',
      registers,
    }),
    attemptSeconds: new Histogram({
      name: 'paywatch_webhook_attempt_seconds',
      help: 'Duration of an attempt.',
      buckets: [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    waitSeconds: new Histogram({
      name: 'paywatch_webhook_wait_seconds',
      help: 'Time from the due time of an attempt to its start.',
      buckets: [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 600, 3600],
      registers,
    }),
  };
}
