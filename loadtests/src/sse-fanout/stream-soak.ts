import type { Figure, Measure } from '@paywatch/dev/commands';
import { freePort } from '@paywatch/dev/servers';
import { createSeededRandom } from '@paywatch/dev/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../shared/percentile.ts';
import { inspectProcess, type ProcessInspector } from '../shared/process-inspector.ts';
import { openFiles, residentBytes } from '../shared/process-limits.ts';
import { runChurn, type ChurnCounts } from './stream-churn.ts';
import { setStreamStage, type StreamStage } from './stream-stage.ts';

/*
 * More than a day of a replica's streams in an hour. A thousand payers who look at their pages for a quarter of an hour each are
 * 96,000 streams a day; here a thousand clients stay for five seconds each, some 200 streams a second, which makes a day in eight
 * minutes. Donations and changes go on meanwhile. At any moment as many clients are there as at any other, so what the
 * process holds in the second quarter is compared with what it holds in the last. In the end nobody is left, and nothing
 * may be.
 */

const SECONDS = 3600;
const STREAMS_A_DAY = 96_000;
const CLIENTS = 1000;
const INVOICES = 2000;
const LONGEST_STAY_MS = 10_000;
const EVENT_EVERY_MS = 200;
const SAMPLES = 60;
/** A client's end is noticed at once; the last commands to Redis may be on their way. */
const LEAVING_MS = 3000;

export const run: Measure = async ({ terminal, share, seed, seconds = SECONDS * share }) => {
  await using parts = new AsyncDisposableStack();
  const inspectPort = await freePort();
  const stage = await terminal.step('Starting Postgres, Redis and an API replica', () =>
    setStreamStage(parts, INVOICES, { NODE_OPTIONS: `--inspect=127.0.0.1:${inspectPort}` }),
  );
  const inspector = await inspectProcess(inspectPort);
  parts.defer(() => inspector.close());
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
    Promise.all([
      runChurn(churn),
      takeSamples(stage, inspector, untilMs, (seconds * 1000) / SAMPLES),
      causeEvents(stage, untilMs),
    ]),
  );
  await sleep(LEAVING_MS);
  return figuresOf(counts, events, samples, await takeSample(stage, inspector));
};

/** What the replica holds at a moment; `heap` after all garbage was collected. Memory in megabytes. */
type Sample = { heap: number; memory: number; files: number; subscriptions: number };

async function takeSamples(
  stage: StreamStage,
  inspector: ProcessInspector,
  untilMs: number,
  everyMs: number,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (performance.now() + everyMs < untilMs) {
    await sleep(everyMs);
    samples.push(await takeSample(stage, inspector));
  }
  return samples;
}

async function takeSample({ api, store }: StreamStage, inspector: ProcessInspector): Promise<Sample> {
  const { pid } = api.process();
  return {
    heap: (await inspector.heldBytes()) / 1e6,
    memory: residentBytes(pid) / 1e6,
    files: openFiles(pid),
    subscriptions: (await store.redis.pubsub('CHANNELS')).length,
  };
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

function figuresOf(counts: ChurnCounts, events: number, samples: readonly Sample[], end: Sample): Figure[] {
  return [
    { name: 'streams_opened', value: counts.opened },
    { name: 'days', value: counts.opened / STREAMS_A_DAY },
    { name: 'streams_not_opened', value: counts.refused },
    { name: 'events', value: events },
    { name: 'reads', value: counts.reads },
    ...growthOf(samples, 'heap', 1.05),
    ...growthOf(samples, 'memory', 1.1),
    ...growthOf(samples, 'files', 1.05),
    ...growthOf(samples, 'subscriptions', 1.05),
    { name: 'heap_left', value: end.heap },
    { name: 'files_left', value: end.files },
    { name: 'subscriptions_left', value: end.subscriptions, reach: { atMost: 0 } },
  ];
}

function growthOf(samples: readonly Sample[], name: keyof Sample, atMost: number): Figure[] {
  const quarter = Math.floor(samples.length / 4);
  const medianOf = (some: readonly Sample[]): number =>
    percentile(
      some.map((sample) => sample[name]),
      0.5,
    );
  const [early, late] = [medianOf(samples.slice(quarter, 2 * quarter)), medianOf(samples.slice(-quarter))];
  return [
    { name: `${name}_early`, value: early },
    { name: `${name}_late`, value: late },
    { name: `${name}_growth_ratio`, value: late / early, reach: { atMost } },
  ];
}
