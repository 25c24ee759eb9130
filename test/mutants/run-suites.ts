import { killTree } from '@paywatch/dev/testing';
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Suite } from './parts.ts';
import type { WorkspaceCopy } from './workspace-copy.ts';

/** How the tests of a copy ended. */
export type SuiteResult = 'passed' | 'failed' | 'hung';

/** Which file `related` refers to, what the tests find in their environment, and when a run counts as hung. */
export type SuiteContext = { mutated: string; env: Readonly<Record<string, string>>; hangsAfterMs: number };

/** Runs suites in their order until one fails. */
export async function runSuites(
  copy: WorkspaceCopy,
  suites: readonly Suite[],
  context: SuiteContext,
): Promise<SuiteResult> {
  for (const suite of suites) {
    const result = await runSuite(copy, suite, context);
    if (result !== 'passed') return result;
  }
  return 'passed';
}

/** The end of what the last run printed. */
export function lastOutput({ folder }: WorkspaceCopy): string {
  return readFileSync(join(folder, LOG), 'utf8').slice(-4000);
}

const LOG = 'mutant.log';

function runSuite(
  { folder }: WorkspaceCopy,
  { workspace, tests, without }: Suite,
  { mutated, env, hangsAfterMs }: SuiteContext,
): Promise<SuiteResult> {
  const chosen = tests === 'related' ? ['related', join(folder, mutated), '--run'] : ['run', ...tests];
  const exclusion = without === undefined ? [] : [`--exclude=${without}`];
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const log = openSync(join(folder, LOG), 'w');
  const child = spawn(process.execPath, [vitest, ...chosen, ...exclusion, '--bail=1', '--reporter=dot'], {
    cwd: join(folder, workspace),
    env: { ...process.env, ...env, NO_COLOR: '1' },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      resolve('hung');
      if (child.pid !== undefined) killTree(child.pid);
    }, hangsAfterMs);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? 'passed' : 'failed');
    });
  });
}
