/**
 * The entry of `npm test`: builds what the tests need, starts one Postgres and one Redis, runs the tests of several workspaces
 * concurrently on them, and prints a summary. `test-options.ts` has the options.
 */
import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { interruption } from '../commands/interruption.ts';
import { startPostgres } from '../servers/postgres/postgres.ts';
import { repositoryFolder } from '../stack/processes.ts';
import { bundleServices } from '../stack/service-bundles.ts';
import { startRedis } from '../servers/redis/redis.ts';
import { runProgram } from '../commands/run-program.ts';
import { stallProcesses, useOneBusyCore } from './slow-machine.ts';
import { describeMode, readTestOptions, type TestOptions } from './test-options.ts';
import { planAffected, planAll, type TestTask } from './test-plan.ts';
import { readReports, removeReports, testedWorkspaces } from './test-report.ts';
import { runTasks } from './test-run.ts';
import { describeRun } from './test-summary.ts';

const listingShape = z.object({ packages: z.object({ items: z.array(z.object({ path: z.string() })) }) });

const interrupted = interruption();
process.exit(await main(readTestOptions(process.argv.slice(2))));

async function main(options: TestOptions): Promise<number> {
  const startedMs = performance.now();
  const mode = describeMode(options);
  if (mode !== undefined) console.log(mode);
  removeReports(repositoryFolder);
  const unreported = await runTests(options, planTasks(options)).catch((error: unknown) => {
    console.error(error);
    return ['npm test'];
  });
  const run = { durationMs: performance.now() - startedMs, unreported, isInterrupted: interrupted.aborted };
  const { text, isGreen } = describeRun(readReports(repositoryFolder), run);
  console.log(text);
  if (interrupted.aborted) return 130;
  return isGreen ? 0 : 1;
}

/** Runs the plan, and returns the workspaces whose tests failed without a report. */
async function runTests(options: TestOptions, tasks: readonly TestTask[]): Promise<string[]> {
  await using parts = new AsyncDisposableStack();
  if (options.isSlow) parts.use(await useOneBusyCore());
  await buildAll();
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  parts.defer(() => redis.stop());
  parts.defer(() => postgres.stop());
  if (options.hasStalls) startStalls(parts);
  const built = { PAYWATCH_WEB_BUILT: '1', PAYWATCH_BUNDLES: await bundleServices() };
  const servers = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  return await runTasks(tasks, { ...servers, ...built }, interrupted);
}

/** Pages and client, as their tests and every stack take them. Turborepo builds only what changed. */
async function buildAll(): Promise<void> {
  const args = ['run', 'build', '--output-logs=errors-only', '--no-daemon'];
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };
  await runProgram('turbo', args, { cwd: repositoryFolder, env });
}

function startStalls(parts: AsyncDisposableStack): void {
  const ended = new AbortController();
  const stalling = stallProcesses(ended.signal, Math.random);
  parts.defer(() => {
    ended.abort();
    return stalling;
  });
}

function planTasks({ filters, isAffected }: TestOptions): TestTask[] {
  const workspaces = filterWorkspaces(filters);
  if (!isAffected) return planAll(workspaces);
  const base = git('merge-base', 'HEAD', git('branch', '--list', 'main') === '' ? 'origin/main' : 'main');
  const untracked = git('ls-files', '--others', '--exclude-standard').split('\n');
  return planAffected(workspaces, base, [...git('diff', '--name-only', base).split('\n'), ...untracked]);
}

/** Turborepo's filters: names, folders, and `...` for dependents. */
function filterWorkspaces(filters: readonly string[]): string[] {
  const all = testedWorkspaces(repositoryFolder);
  if (filters.length === 0) return all;
  const args = ['ls', '--output=json', ...filters.map((filter) => `--filter=${filter}`)];
  const listed = execFileSync('turbo', args, { cwd: repositoryFolder, stdio: ['ignore', 'pipe', 'ignore'] });
  const { items } = listingShape.parse(JSON.parse(String(listed))).packages;
  const chosen = all.filter((workspace) => items.some(({ path }) => path === workspace));
  if (chosen.length === 0) throw new Error(`no workspace with tests matches ${filters.join(', ')}`);
  return chosen;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: repositoryFolder, encoding: 'utf8' }).trim();
}
