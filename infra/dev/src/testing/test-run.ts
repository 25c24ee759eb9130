import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aborted } from '../commands/interruption.ts';
import { killTree } from './process-tree.ts';
import { repositoryFolder } from '../stack/processes.ts';
import { spawnBound } from '../servers/server-process.ts';
import type { TestTask } from './test-plan.ts';
import { readReport, reportFile } from './test-report.ts';
import { describeWorkspace } from './test-summary.ts';

/** Vitest finishes what it has begun; when it is interrupted, it is killed after this. */
const INTERRUPTED_END_MS = 3000;

const PIPES_CLOSE_MS = 2000;

/** Vitest does not see our terminal through its pipe. */
const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { FORCE_COLOR: undefined, NO_COLOR: '1' };

/**
 * Runs the tests of the workspaces in this order, one more at a time than there are cores, because much of what they do is waiting.
 * Prints a line for each that ended, and all of the output of one that failed. Returns the workspaces that failed without a report.
 */
export async function runTasks(
  tasks: readonly TestTask[],
  servers: Record<string, string>,
  interrupted: AbortSignal,
): Promise<string[]> {
  const queue = [...tasks];
  const unreported: string[] = [];
  const runNext = async (): Promise<void> => {
    const task = queue.shift();
    if (task === undefined || interrupted.aborted) return;
    if (!(await runTask(task, servers, interrupted))) unreported.push(task.workspace);
    await runNext();
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, runNext));
  return unreported;
}

/** False where vitest failed and its report, if any, names no failure. */
async function runTask(
  { workspace, args }: TestTask,
  servers: Record<string, string>,
  interrupted: AbortSignal,
): Promise<boolean> {
  const startedMs = performance.now();
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const command = {
    name: `the tests of ${workspace}`,
    command: 'vitest',
    args: ['run', ...reporters, ...args],
    cwd: join(repositoryFolder, workspace),
    env: { ...process.env, ...servers, ...colors },
    deathSignal: 'SIGTERM',
  } as const;
  const vitest = await spawnBound(command, ['ignore', 'pipe', 'pipe']);
  void aborted(interrupted).then(() => {
    vitest.kill('SIGINT');
    setTimeout(() => killTree(Number(vitest.pid)), INTERRUPTED_END_MS);
  });
  let output = '';
  for (const stream of [vitest.stdout, vitest.stderr])
    stream?.on('data', (chunk) => (output += String(chunk)));
  const closed = once(vitest, 'close');
  const [code] = await once(vitest, 'exit');
  // A process that outlives vitest keeps its pipes open.
  await Promise.race([closed, sleep(PIPES_CLOSE_MS)]);
  const file = join(command.cwd, reportFile);
  const report = existsSync(file) ? readReport(workspace, readFileSync(file, 'utf8')) : undefined;
  const hasFailed = code !== 0 && !interrupted.aborted;
  console.log(describeWorkspace(workspace, report, { hasFailed, durationMs: performance.now() - startedMs }));
  if (hasFailed) console.log(output);
  return !hasFailed || (report?.failed ?? 0) > 0;
}
