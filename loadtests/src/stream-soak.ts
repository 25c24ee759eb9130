import { createSeededRandom, type Measure } from '@paywatch/dev';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentBytes } from './process-limits.ts';
import { percentile } from './percentile.ts';
import { runChurn } from './stream-churn.ts';
import { setStreamStage, type StreamStage } from './stream-stage.ts';

/*
 * A day of a replica's streams in an hour: clients come and go, donations and changes go on, and at any moment as many clients
 * are there as at any other. What the process holds after the first quarter is compared with what it holds in the last.
 * In the end nobody is left, and so no channel may be.
 */

const SECONDS = 3600;
const CLIENTS = 1000;
const INVOICES = 2000;
const LONGEST_STAY_MS = 10_000;
const EVENT_EVERY_MS = 200;
const SAMPLE_EVERY_MS = 1000;
/** A client's end is noticed at once; the last commands to Redis may be on their way. */
const LEAVING_MS = 3000;

export const run: Measure = async ({ terminal, share, seed, seconds = SECONDS * share }) => {
  await using parts = new AsyncDisposableStack();
  const stage = await terminal.step('Starting Postgres, Redis and an API replica', () =>
    setStreamStage(parts, INVOICES),
  );
  const untilMs = performance.now() + seconds * 1000;
  const churn = {
    port: stage.api.port ?? 0,
    paths: [stage.overlayPath, ...stage.statusPaths],
    clients: CLIENTS,
    longestStayMs: LONGEST_STAY_MS,
    random: createSeededRandom(seed),
    untilMs,
  };
  const [counts, samples, events] = await terminal.step(`Clients that come and go for ${seconds} s`, () =>
    Promise.all([runChurn(churn), sampleMemory(stage, untilMs), causeEvents(stage, untilMs)]),
  );
  await sleep(LEAVING_MS);
  const channels = await stage.store.redis.pubsub('CHANNELS');
  const quarter = Math.floor(samples.length / 4);
  const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)].map((some) =>
    percentile(some, 0.5),
  );
  return [
    { name: 'streams_opened', value: counts.opened },
    { name: 'streams_not_opened', value: counts.refused },
    { name: 'events', value: events },
    { name: 'reads', value: counts.reads },
    { name: 'early_megabytes', value: Math.round((early ?? Number.NaN) / 1e6) },
    { name: 'late_megabytes', value: Math.round((late ?? Number.NaN) / 1e6) },
    {
      name: 'memory_growth_ratio',
      value: (late ?? Number.NaN) / (early ?? Number.NaN),
      reach: { atMost: 1.1 },
    },
    { name: 'subscriptions_left', value: channels.length, reach: { atMost: 0 } },
  ];
};

async function sampleMemory({ api }: StreamStage, untilMs: number): Promise<number[]> {
  const samples: number[] = [];
  while (performance.now() < untilMs) {
    await sleep(SAMPLE_EVERY_MS);
    samples.push(residentBytes(api.process().pid));
  }
  return samples;
}

async function causeEvents(stage: StreamStage, untilMs: number): Promise<number> {
  let events = 0;
  while (performance.now() < untilMs) {
    await sleep(EVENT_EVERY_MS);
    await Promise.all([stage.donate(1), stage.change(0, 50)]);
    events += 51;
  }
  return events;
}
