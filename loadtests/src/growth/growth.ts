import type { Figure, Measure } from '@paywatch/dev/commands';
import { createSeededRandom, type SeededRandom } from '@paywatch/dev/testing';
import type { Store } from '@paywatch/store';
import type { CleanUp } from '@paywatch/store/postgres';
import { foldDays, foldShards } from '@paywatch/store/stats';
import { startBenchServers } from '../shared/bench-servers.ts';
import { openSide, OPERATIONS, type GrowthSide } from './growth-operations.ts';
import { vacuum, writeHistory } from './invoice-history.ts';
import { median } from '../shared/median.ts';
import { openChain, openMerchants } from '../shared/merchants.ts';

const SECONDS = 40;
const FEW = 1000;
const MANY = 1_000_000;
const DAYS = 365;
const MERCHANTS = 10;
/** For invoices created during the measurement. */
const FREE_ADDRESSES = 20_000;

/**
 * Runs the same operations, one at a time, alternately on two databases of one server that differ only in their number of
 * invoices. It calls the store and the watcher directly, because the cost of HTTP would hide the growth.
 */
export const run: Measure = async ({ terminal, seconds = SECONDS, share, seed }) => {
  await using parts = new AsyncDisposableStack();
  const many = Math.max(FEW, MANY * share);
  const servers = await terminal.step('Starting Postgres and Redis', () => startBenchServers(parts));
  const beside = await servers.openBeside();
  const small = await terminal.step(`Writing ${FEW.toLocaleString('en')} invoices`, () => fill(beside, FEW));
  const large = await terminal.step(`Writing ${many.toLocaleString('en')} invoices`, () =>
    fill(servers.store, many),
  );
  const random = createSeededRandom(seed);
  const costs = OPERATIONS.map(({ name }) => ({ name, smallMs: [] as number[], largeMs: [] as number[] }));
  const measureFor = (milliseconds: number) => measureInTurns(small, large, costs, random, milliseconds);
  await terminal.step('Warming up', () => measureFor(seconds * 200));
  for (const { smallMs, largeMs } of costs) smallMs.length = largeMs.length = 0;
  await terminal.step('Measuring', () => measureFor(seconds * 800));
  return figuresOf(many, costs);
};

/** Durations of an operation on either side. */
type Costs = { name: string; smallMs: number[]; largeMs: number[] };

async function fill(store: Store, count: number): Promise<GrowthSide> {
  await openChain(store);
  const merchants = await openMerchants(store, MERCHANTS, FREE_ADDRESSES);
  await writeHistory(store, merchants, { count, days: DAYS });
  // The watchers do this every few minutes.
  for (const clean of [foldShards, foldDays]) await cleanAll(store, clean);
  await vacuum(store);
  const [first] = merchants;
  if (!first) throw new Error('no merchants');
  return openSide(store, first);
}

async function cleanAll(store: Store, clean: CleanUp): Promise<void> {
  while ((await clean(store, 5000)) > 0);
}

async function measureInTurns(
  small: GrowthSide,
  large: GrowthSide,
  costs: readonly Costs[],
  random: SeededRandom,
  milliseconds: number,
): Promise<void> {
  const untilMs = performance.now() + milliseconds;
  while (performance.now() < untilMs) {
    for (const [index, { measure }] of OPERATIONS.entries()) {
      costs[index]?.smallMs.push(await measure(small, random));
      costs[index]?.largeMs.push(await measure(large, random));
    }
  }
}

function figuresOf(many: number, costs: readonly Costs[]): Figure[] {
  const ratios = costs.map(({ name, smallMs, largeMs }) => ({
    name: `${name}_ratio`,
    value: median(largeMs) / median(smallMs),
  }));
  return [
    { name: 'invoices', value: many },
    { name: 'rounds', value: costs[0]?.smallMs.length ?? 0 },
    ...costs.map(({ name, largeMs }) => ({ name: `${name}_ms`, value: median(largeMs) })),
    ...ratios,
    {
      name: 'worst_ratio',
      value: Math.max(...ratios.map(({ value }) => value)),
      reach: { atMost: 1.5 },
      aim: { atMost: 1.1 },
    },
  ];
}
