/** `npm run load -- NAME | all`: runs a script of `k6/`, or all of them, against a new stack, with the k6 on PATH. */
import { interruption } from '@paywatch/dev/commands';
import { k6Version, runK6 } from './k6.ts';
import { loadAll } from './load-all.ts';
import { openShops, startLoadStack, type LoadEnvironment } from './load-stage.ts';
import { scriptNames } from './scripts.ts';

const API_REPLICAS = 2;
const SHOPS = 5;

process.exit(await load(process.argv.slice(2)));

/**
 * Returns the exit code: that of k6 (99 for a missed threshold), 1 without k6, 2 for an unknown script. `all` needs no k6 and writes a
 * report.
 */
async function load([name = '', ...options]: readonly string[]): Promise<number> {
  const isAll = name === 'all';
  if (!isAll && !scriptNames().includes(name)) return fail(usage(), 2);
  if (!isAll && k6Version() === null) return fail(WITHOUT_K6, 1);
  const interrupted = interruption();
  if (isAll) return loadAll(options, { onStage, interrupted });
  return onStage(async (environment) =>
    interrupted.aborted ? 130 : (await runK6(name, options, environment, { interrupted })).code,
  );
}

const WITHOUT_K6 =
  'k6 2 is not on PATH: install it (https://grafana.com/docs/k6/latest/set-up/install-k6/), or use "all" for a small run without it';

/** Runs a function with a new stack, and stops the stack. */
async function onStage<Result>(work: (environment: LoadEnvironment) => Promise<Result>): Promise<Result> {
  const stack = await startLoadStack(API_REPLICAS);
  try {
    return await work(await openShops(stack.url, SHOPS));
  } finally {
    await stack.stop();
  }
}

function fail(text: string, code: number): number {
  console.error(text);
  return code;
}

function usage(): string {
  const names = ['all', ...scriptNames()].map((name) => `  ${name}`);
  return `npm run load -- NAME [-e RATE=50] [-e DURATION=30s] [other options of "k6 run"]\n\n${names.join('\n')}`;
}
