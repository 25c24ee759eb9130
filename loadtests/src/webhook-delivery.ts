import type { Measure } from '@paywatch/dev';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBareLoop } from './bare-webhook-loop.ts';
import { percentile } from './percentile.ts';
import { causeEvents, eventBody, setWebhookStage, type WebhookStage } from './webhook-stage.ts';

const SECONDS = 64;
/** Endpoints that answer, and how many requests the bare loop has in flight; as many as one worker may have to them. */
const HEALTHY = 20;
const IN_FLIGHT = 100;
const HANGING = 500;
const EVENTS_EACH_HANGING = 10;
/** Waiting in Postgres while throughput is measured: a worker never runs out of work. */
const BACKLOG = 3000;
const BATCH = 200;
/** Events per second while latency is measured. */
const PACE = 100;

/** Throughput of one worker against a bare loop, then latency at a fixed pace without and with endpoints that hang. */
export const run: Measure = async ({ terminal, seconds = SECONDS }) => {
  await using parts = new AsyncDisposableStack();
  const stage = await terminal.step('Starting Postgres, Redis, receivers and a webhook worker', () =>
    setWebhookStage(parts, { healthy: HEALTHY, hanging: HANGING }),
  );
  const rateMs = (seconds * 1000) / 8;
  const paceMs = rateMs * 3;
  await terminal.step('Warming up', () => measureWorker(stage, rateMs / 4));
  const bare = await terminal.step('Bare loop', () => measureBareLoop(stage, rateMs), perSecond);
  const worker = await terminal.step('Webhook worker', () => measureWorker(stage, rateMs), perSecond);
  const alone = await terminal.step(`${PACE} per second`, () => measureLatency(stage, paceMs), inMs);
  for (let round = 0; round < EVENTS_EACH_HANGING; round += 1)
    await causeEvents(stage.store, stage.hangingIds);
  const beside = await terminal.step(
    `The same beside ${HANGING} endpoints that hang`,
    () => measureLatency(stage, paceMs),
    inMs,
  );
  return [
    { name: 'bare_per_second', value: bare },
    { name: 'delivered_per_second', value: worker },
    { name: 'rate_ratio', value: worker / bare, reach: { atLeast: 0.35 }, aim: { atLeast: 0.6 } },
    { name: 'alone_p99_ms', value: alone },
    { name: 'beside_hanging_p99_ms', value: beside },
    { name: 'p99_ratio', value: beside / alone, reach: { atMost: 2 }, aim: { atMost: 1.2 } },
  ];
};

function perSecond(rate: number): string {
  return `${rate.toFixed(0)} per second`;
}

function inMs(p99Ms: number): string {
  return `p99 ${p99Ms.toFixed(1)} ms`;
}

async function measureBareLoop({ receivers, authority }: WebhookStage, ms: number): Promise<number> {
  const loop = { url: receivers.healthyUrl, ca: authority.caPem, inFlight: IN_FLIGHT, body: eventBody };
  await runBareLoop({ ...loop, untilMs: performance.now() + ms / 4 });
  return measureRate(receivers, () => runBareLoop({ ...loop, untilMs: performance.now() + ms }));
}

/** Deliveries per second while events are caused as fast as they are delivered; leaves none behind. */
async function measureWorker({ store, receivers, healthyIds }: WebhookStage, ms: number): Promise<number> {
  const before = receivers.countReceived();
  let caused = 0;
  const feed = async (untilMs: number): Promise<void> => {
    while (performance.now() < untilMs) {
      const waiting = caused - (receivers.countReceived() - before);
      if (waiting >= BACKLOG) await sleep(5);
      else {
        await causeEvents(store, spread(healthyIds, BATCH));
        caused += BATCH;
      }
    }
  };
  await feed(performance.now() + ms / 4);
  const rate = await measureRate(receivers, () => feed(performance.now() + ms));
  while (receivers.countReceived() - before < caused) await sleep(20);
  return rate;
}

async function measureRate(
  { countReceived }: WebhookStage['receivers'],
  load: () => Promise<void>,
): Promise<number> {
  const [count, startedMs] = [countReceived(), performance.now()];
  await load();
  return ((countReceived() - count) * 1000) / (performance.now() - startedMs);
}

function spread(ids: readonly bigint[], count: number): bigint[] {
  return Array.from({ length: Math.ceil(count / ids.length) }, () => ids)
    .flat()
    .slice(0, count);
}

/** The 99th percentile from the cause of an event to its arrival, one event to a transaction, at a fixed pace. */
async function measureLatency({ store, receivers, healthyIds }: WebhookStage, ms: number): Promise<number> {
  receivers.takeLatenciesMs();
  const before = receivers.countReceived();
  const total = Math.ceil((ms / 1000) * PACE);
  const startedMs = performance.now();
  const causing: Promise<void>[] = [];
  for (let index = 0; index < total; index += 1) {
    // The pace is the plan's, not that of the answers: a slow moment is not left out.
    await sleep(Math.max(0, startedMs + (index * 1000) / PACE - performance.now()));
    const offset = index % healthyIds.length;
    causing.push(causeEvents(store, healthyIds.slice(offset, offset + 1)));
  }
  await Promise.all(causing);
  while (receivers.countReceived() - before < total) await sleep(20);
  return percentile(receivers.takeLatenciesMs(), 0.99);
}
