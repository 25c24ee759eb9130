import type { Measure } from '@paywatch/dev/commands';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBareLoop } from './bare-webhook-loop.ts';
import { percentile } from '../shared/percentile.ts';
import { causeEvents, eventBody, setWebhookStage, type WebhookStage } from './webhook-stage.ts';

const SECONDS = 64;
/** Endpoints that respond, and the bare loop's requests in flight: as many as a worker may have to these endpoints. */
const HEALTHY = 20;
const IN_FLIGHT = 200;
const HANGING = 500;
const EVENTS_EACH_HANGING = 10;
/** Events per second: an upper bound that sizes the backlog, so that it outlasts the measurement. */
const MOST_PER_SECOND = 6000;
const BATCH = 500;
/** Events per second while latency is measured. */
const PACE = 100;
/** Warm-up of each load. */
const LEAD_MS = 2000;

/** Throughput of one worker relative to a bare loop, then latency at a fixed rate, without and with hanging endpoints. */
export const run: Measure = async ({ terminal, seconds = SECONDS }) => {
  await using parts = new AsyncDisposableStack();
  const stage = await terminal.step('Starting Postgres, Redis, receivers and a webhook worker', () =>
    setWebhookStage(parts, { healthy: HEALTHY, hanging: HANGING }),
  );
  const rateMs = (seconds * 1000) / 8;
  const paceMs = rateMs * 3;
  const bareLoop = () => terminal.step('Bare loop', () => measureBareLoop(stage, rateMs / 2), perSecond);
  // Measured before and after the worker, because other load on the machine changes during a run.
  const bareBefore = await bareLoop();
  const worker = await terminal.step('Webhook worker', () => measureWorker(stage, rateMs), perSecond);
  const bare = (bareBefore + (await bareLoop())) / 2;
  const alone = await terminal.step(`${PACE} per second`, () => measureLatency(stage, paceMs), inMs);
  const onset = await terminal.step(
    `${HANGING} endpoints start to hang`,
    () => measureOnset(stage, rateMs),
    inMs,
  );
  const held = meanOfSamples(stage.receivers.countHeld);
  const beside = await terminal.step(
    'The same, beside hanging endpoints',
    () => measureLatency(stage, paceMs),
    inMs,
  );
  return [
    { name: 'bare_per_second', value: bare },
    { name: 'delivered_per_second', value: worker },
    { name: 'rate_ratio', value: worker / bare, reach: { atLeast: 0.5 }, aim: { atLeast: 0.6 } },
    { name: 'alone_p99_ms', value: alone },
    { name: 'onset_p99_ms', value: onset },
    { name: 'onset_p99_ratio', value: onset / alone },
    { name: 'beside_hanging_p99_ms', value: beside },
    { name: 'p99_ratio', value: beside / alone, reach: { atMost: 2 }, aim: { atMost: 1.2 } },
    { name: 'held_by_hanging', value: held() },
  ];
};

function perSecond(rate: number): string {
  return `${rate.toFixed(0)} per second`;
}

function inMs(p99Ms: number): string {
  return `p99 ${p99Ms.toFixed(1)} ms`;
}

/** Requests per second of the bare loop, after its connections are open. */
async function measureBareLoop({ receivers, authority }: WebhookStage, ms: number): Promise<number> {
  const loop = { url: receivers.healthyUrl, ca: authority.caPem, inFlight: IN_FLIGHT, body: eventBody };
  const running = runBareLoop({ ...loop, untilMs: performance.now() + LEAD_MS + ms });
  await sleep(LEAD_MS);
  const [count, startedMs] = [receivers.countReceived(), performance.now()];
  await running;
  return ((receivers.countReceived() - count) * 1000) / (performance.now() - startedMs);
}

/**
 * Deliveries per second of a backlog that is in Postgres before the worker starts, so that inserting events is not measured.
 * Measures from 20 % of the backlog, when the worker is warm, to 90 %; returns when all of it is delivered.
 */
async function measureWorker(
  { store, receivers, healthyIds, worker }: WebhookStage,
  ms: number,
): Promise<number> {
  await worker.stop();
  const before = receivers.countReceived();
  const total = Math.ceil((ms / 1000) * MOST_PER_SECOND);
  for (let caused = 0; caused < total; caused += BATCH)
    await causeEvents(store, spread(healthyIds, Math.min(BATCH, total - caused)));
  const whenReceived = async (share: number): Promise<{ count: number; atMs: number }> => {
    while (receivers.countReceived() - before < total * share) await sleep(5);
    return { count: receivers.countReceived(), atMs: performance.now() };
  };
  await worker.restart();
  const [start, end] = [await whenReceived(0.2), await whenReceived(0.9)];
  await whenReceived(1);
  return ((end.count - start.count) * 1000) / (end.atMs - start.atMs);
}

function spread(ids: readonly bigint[], count: number): bigint[] {
  return Array.from({ length: Math.ceil(count / ids.length) }, () => ids)
    .flat()
    .slice(0, count);
}

/** Gives each hanging endpoint enough events for the whole measurement; resolves when nearly all hold a request. */
async function causeHanging({ store, receivers, hangingIds }: WebhookStage): Promise<void> {
  for (let round = 0; round < EVENTS_EACH_HANGING; round += 1) await causeEvents(store, hangingIds);
  while (receivers.countHeld() < HANGING * 0.98) await sleep(20);
}

/** p99 latency of healthy endpoints while the others start to hang, before the worker knows them as slow. */
async function measureOnset(stage: WebhookStage, ms: number): Promise<number> {
  await causeAtPace(stage, LEAD_MS);
  stage.receivers.takeLatenciesMs();
  await Promise.all([causeHanging(stage), causeAtPace(stage, ms)]);
  return percentile(stage.receivers.takeLatenciesMs(), 0.99);
}

/** Starts sampling; the returned function stops it and returns the mean. */
function meanOfSamples(read: () => number): () => number {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(read()), 50);
  return () => {
    clearInterval(timer);
    return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
  };
}

/** p99 latency from an event's insertion to its arrival, one event per transaction, at a fixed rate. */
async function measureLatency(stage: WebhookStage, ms: number): Promise<number> {
  await causeAtPace(stage, LEAD_MS);
  stage.receivers.takeLatenciesMs();
  await causeAtPace(stage, ms);
  return percentile(stage.receivers.takeLatenciesMs(), 0.99);
}

/** Inserts events at a fixed rate for `ms`; resolves when all have arrived. */
async function causeAtPace({ store, receivers, healthyIds }: WebhookStage, ms: number): Promise<void> {
  const before = receivers.countReceived();
  const total = Math.ceil((ms / 1000) * PACE);
  const startedMs = performance.now();
  const causing: Promise<void>[] = [];
  for (let index = 0; index < total; index += 1) {
    // A fixed schedule, independent of responses: otherwise slow moments would get fewer samples.
    await sleep(Math.max(0, startedMs + (index * 1000) / PACE - performance.now()));
    const offset = index % healthyIds.length;
    causing.push(causeEvents(store, healthyIds.slice(offset, offset + 1)));
  }
  await Promise.all(causing);
  while (receivers.countReceived() - before < total) await sleep(20);
}
