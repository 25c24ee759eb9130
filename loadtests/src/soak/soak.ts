import type { Figure, Measure } from '@paywatch/dev/commands';
import { bundlePrograms, startStack, type Stack, type StackService } from '@paywatch/dev/stack';
import { createSeededRandom } from '@paywatch/dev/testing';
import { openStore, type Store } from '@paywatch/store';
import { setTimeout as sleep } from 'node:timers/promises';
import { openShop } from '../notice/notice-stage.ts';
import { ageRewards, startChains } from './chain-life.ts';
import { openCustomers, VIOLATIONS, type CustomerReport } from './customers.ts';
import { readSample, type Sample } from './sample.ts';
import { slopePerHour } from './slope.ts';

const SECONDS = 600;
const SAMPLES = 120;
/** Of the samples: what starts, compiles and fills its caches is not growth. */
const WARM_UP = 1 / 3;
/** How often one of the restarted processes ends and starts. */
const RESTARTS = 12;

/**
 * Runs a mixed load for a long time: orders that are paid, underpaid or left, open payment pages, chains that reorganise, and
 * restarts of one process of each role, as bundled in the image. The slopes, per hour, are of the processes that are not restarted,
 * of Postgres and of Redis.
 */
export const run: Measure = async ({ terminal, seconds = SECONDS, seed }) => {
  await using parts = new AsyncDisposableStack();
  process.env['PAYWATCH_BUNDLES'] = await terminal.step('Bundling the programs', bundlePrograms);
  const stack = await terminal.step('Starting everything, two processes of each role', () =>
    startStack({
      ownServers: true,
      mweb: false,
      replicas: { api: 2, watcher: 2, webhookWorker: 2 },
      // All pages are opened from one address.
      env: { LOG_LEVEL: 'warn', DRAIN_SECONDS: '2', PUBLIC_READ_LIMIT_POINTS: '1000000' },
    }),
  );
  parts.defer(stack.stop);
  const store = openDriverStore(stack);
  parts.defer(store.close);
  await terminal.step('The rewards of the payers grow old', () => ageRewards(stack));
  const random = createSeededRandom(seed);
  const shop = await terminal.step('A merchant signs up', () => openShop(stack));
  const customers = openCustomers(stack, shop, random);
  const chains = startChains(stack, random);
  const [samples, restarts] = await terminal.step(`${seconds} s of load`, () =>
    Promise.all([
      takeSamples(stack, store, seconds).finally(() => chains.end()),
      restartInTurns(stack, seconds),
      chains.lived,
    ]),
  );
  const report = await terminal.step('The last customers', () =>
    customers.finish(() => chains.confirmEverything()),
  );
  for (const { kind, what } of report.violations) terminal.line(`${kind}: ${what}`);
  return [
    ...figuresOf(samples),
    ...chains.figures(),
    { name: 'restarts', value: restarts },
    ...verdictOf(report),
  ];
};

/** Reads the samples, evenly spread over the duration of the load. */
async function takeSamples(stack: Stack, store: Store, seconds: number): Promise<Sample[]> {
  const taken: Sample[] = [];
  const startedMs = performance.now();
  while (taken.length < SAMPLES) {
    const dueMs = startedMs + (taken.length * seconds * 1000) / SAMPLES;
    await sleep(Math.max(0, dueMs - performance.now()));
    taken.push(await readSample(store, keptProcesses(stack), performance.now() - startedMs));
  }
  return taken;
}

/** The connections of the benchmark itself. */
function openDriverStore({ postgres, redis }: Stack): Store {
  return openStore({
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    redisPrefix: 'soak',
    role: 'worker',
    applicationName: 'paywatch-bench',
    poolSize: 2,
    onRedisError: () => undefined,
  });
}

function keptProcesses({ services }: Stack): Record<string, number> {
  return {
    api: keptPid(services.api),
    watcher: keptPid(services.watcher),
    webhook_worker: keptPid(services.webhookWorker),
  };
}

function keptPid([kept]: readonly StackService[]): number {
  return kept?.process().pid ?? 0;
}

/** Restarts the second process of each role in turns. Returns how many restarts there were. */
async function restartInTurns({ services }: Stack, seconds: number): Promise<number> {
  const restarted = [services.api, services.watcher, services.webhookWorker].flatMap(
    ([, second]) => second ?? [],
  );
  for (let turn = 0; turn < RESTARTS; turn += 1) {
    await sleep((seconds * 1000) / (RESTARTS + 1));
    await restarted[turn % restarted.length]?.restart();
  }
  return RESTARTS;
}

/** One slope for each value that a sample has. */
function figuresOf(samples: readonly Sample[]): Figure[] {
  const steady = samples.slice(Math.floor(samples.length * WARM_UP));
  const names = Object.keys(steady[0]?.values ?? {});
  return names.flatMap((name) => {
    const points = steady.map(({ atMs, values }) => ({ atMs, value: values[name] ?? 0 }));
    return [
      { name, value: points.at(-1)?.value ?? 0 },
      { name: `${name}_per_hour`, value: slopePerHour(points) },
    ];
  });
}

function verdictOf({ orders, lostByNode, violations }: CustomerReport): Figure[] {
  const byKind = VIOLATIONS.map((kind) => ({
    name: kind,
    value: violations.filter((violation) => violation.kind === kind).length,
    reach: { atMost: 0 },
  }));
  return [
    { name: 'orders', value: orders },
    { name: 'lost_by_node', value: lostByNode },
    ...byKind,
    { name: 'violations', value: violations.length, reach: { atMost: 0 } },
  ];
}
