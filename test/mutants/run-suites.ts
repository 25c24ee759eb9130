import { killTree } from '@paywatch/dev/testing';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Suite } from './parts.ts';
import type { WarmAnswer, WarmRequest } from './warm-vitest.ts';
import type { WorkspaceCopy } from './workspace-copy.ts';

/** The result of the tests. */
type SuiteResult = 'passed' | 'failed' | 'hung';

/** Runs the tests of one copy, with one reused vitest process per workspace. */
export type SuiteRunner = Disposable & {
  /** Runs one suite until a test fails. `mutated` is the mutated file, relative to the copy. */
  run(suite: Suite, mutated: string, hangsAfterMs: number): Promise<SuiteResult>;
  /** The end of the tests' output. */
  lastOutput(): string;
};

/** Creates a runner, which starts processes on the first run. `env` is the environment of the tests. */
export function createSuiteRunner(
  { folder }: WorkspaceCopy,
  env: Readonly<Record<string, string>>,
): SuiteRunner {
  const log = join(folder, 'mutants.log');
  const running = new Map<string, ChildProcess>();
  // The file mutated before is restored; its cached mutation must be invalidated as well.
  const touched = new Set<string>();
  const end = (workspace: string): void => {
    const pid = running.get(workspace)?.pid;
    if (pid !== undefined) killTree(pid);
    running.delete(workspace);
  };
  return {
    run: async ({ workspace, tests, without }, mutated, hangsAfterMs) => {
      const vitest = running.get(workspace) ?? (await startVitest(folder, workspace, log, env));
      running.set(workspace, vitest);
      const changed = join(folder, mutated);
      touched.add(changed);
      const request = { tests, related: changed, touched: [...touched], ...(without && { without }) };
      const result = await ask(vitest, request, hangsAfterMs);
      if (result === 'hung') end(workspace);
      return result;
    },
    lastOutput: () => readFileSync(log, 'utf8').slice(-4000),
    [Symbol.dispose]: () => [...running.keys()].forEach(end),
  };
}

/** Environment as set by vitest itself, and a memory limit, so that a mutant cannot exhaust the machine's memory. */
const TEST_ENV = {
  NODE_ENV: 'test',
  VITEST: 'true',
  NO_COLOR: '1',
  NODE_OPTIONS: '--max-old-space-size=1536',
};

async function startVitest(
  folder: string,
  workspace: string,
  log: string,
  env: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const output = openSync(log, 'a');
  const child = fork(join(folder, 'test/mutants/warm-vitest.ts'), {
    cwd: join(folder, workspace),
    env: { ...process.env, ...env, ...TEST_ENV },
    stdio: ['ignore', output, output, 'ipc'],
  });
  closeSync(output);
  await answerOf(child);
  return child;
}

async function ask(
  vitest: ChildProcess,
  request: WarmRequest,
  hangsAfterMs: number,
): Promise<'passed' | 'failed' | 'hung'> {
  const hung = AbortSignal.timeout(hangsAfterMs);
  vitest.send(request);
  try {
    return (await answerOf(vitest, hung)) === 'passed' ? 'passed' : 'failed';
  } catch (error) {
    if (hung.aborted) return 'hung';
    throw error;
  }
}

/** Throws if the process exits without a result, which proves nothing about the tests. */
async function answerOf(vitest: ChildProcess, signal?: AbortSignal): Promise<WarmAnswer> {
  const ended = new AbortController();
  const options = { signal: signal ? AbortSignal.any([signal, ended.signal]) : ended.signal };
  const [answer] = await Promise.race([
    once(vitest, 'message', options) as Promise<[WarmAnswer]>,
    once(vitest, 'exit', options).then(() => {
      throw new Error('vitest exited without a result');
    }),
  ]).finally(() => ended.abort());
  return answer;
}
