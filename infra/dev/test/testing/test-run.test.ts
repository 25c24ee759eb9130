import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { waitUntil } from '../../src/testing/wait-until.ts';
import { stallProcesses } from '../../src/testing/slow-machine.ts';
import { describeMode, parseTestOptions } from '../../src/testing/test-options.ts';
import { planAffected, planAll } from '../../src/testing/test-plan.ts';
import { describeRun, describeWorkspace } from '../../src/testing/test-summary.ts';
import type { WorkspaceReport } from '../../src/testing/test-report.ts';

describe('the options of npm test', () => {
  test('say which workspaces, on which machine, and what is special is printed', () => {
    const options = parseTestOptions(['--slow', '--stalls', '--filter=@paywatch/store', '--filter', 'test']);
    expect(options).toEqual({
      isSlow: true,
      hasStalls: true,
      isAffected: false,
      filters: ['@paywatch/store', 'test'],
    });
    expect(describeMode(options)).toMatch(/one core.*stopped/);
    expect(describeMode(parseTestOptions([]))).toBeUndefined();
  });

  test('that do not exist are refused', () => {
    expect(() => parseTestOptions(['--quick'])).toThrow('--quick');
    expect(() => parseTestOptions(['store'])).toThrow('store');
  });
});

describe('the plan of npm test', () => {
  const workspaces = ['infra/dev', 'packages/domain', 'packages/new', 'test'];

  test('begins with what takes longest, and forgets no workspace', () => {
    expect(planAll(workspaces).map(({ workspace }) => workspace)).toEqual([
      'test',
      'infra/dev',
      'packages/domain',
      'packages/new',
    ]);
  });

  test('runs the test files that import what changed, or the whole workspace where imports do not show it', () => {
    const changed = [
      'README.md',
      'packages/domain/src/values/money.ts',
      'test/package.json',
      'test/start.test.ts',
    ];
    expect(planAffected(workspaces, 'abc', changed)).toEqual([
      { workspace: 'test', args: [] },
      { workspace: 'packages/domain', args: ['--changed=abc', '--passWithNoTests'] },
    ]);
    expect(planAffected(workspaces, 'abc', ['README.md'])).toEqual([]);
  });
});

describe('the summary of npm test', () => {
  const run = { durationMs: 61_000, unreported: [], isInterrupted: false };

  test('is green with the sums alone on the last line, and names skipped tests with their reasons', () => {
    const skips = [{ name: '/a.test.ts > fires', reason: 'prometheus is not installed' }];
    const { text, isGreen } = describeRun([report(), report({ skipped: 1, skips })], run);
    expect(isGreen).toBe(true);
    expect(text).toMatch(/prometheus is not installed: .*a\.test\.ts > fires/);
    expect(text.split('\n').at(-1)).toBe('6 passed, 0 failed, 1 skipped');
    expect(text).toContain('2 workspaces in 61 s');
  });

  test('lists the ten files that took longest, slowest first', () => {
    const files = Array.from({ length: 12 }, (_, index) => ({ name: `/${index}`, durationMs: index * 1000 }));
    const { text } = describeRun([report({ files })], run);
    expect([...text.matchAll(/^ +([\d.]+) s {2}/gm)].map(([, time]) => Number(time))).toEqual([
      11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
    ]);
  });

  test('is red for a failed test and for a workspace that could not run its tests', () => {
    const failures = [{ name: '/a.test.ts > a pool is never dry', message: 'expected 0 to be 1' }];
    const { text, isGreen } = describeRun([report({ failed: 1, failures })], {
      ...run,
      unreported: ['test'],
    });
    expect(isGreen).toBe(false);
    expect(text).toMatch(/FAILED .*a pool is never dry\nexpected 0 to be 1/);
    expect(text).toContain('FAILED test: without a failed test');
    expect(text.split('\n').at(-1)).toBe('3 passed, 2 failed');
  });

  test('is not green when it was interrupted', () => {
    expect(describeRun([report()], { ...run, isInterrupted: true }).isGreen).toBe(false);
  });

  test('gives each workspace one line', () => {
    expect(describeWorkspace('test', report(), { hasFailed: false, durationMs: 1000 })).toBe(
      '✓ test: 3 passed, 0 failed (1.0 s)',
    );
    expect(describeWorkspace('test', undefined, { hasFailed: true, durationMs: 1000 })).toBe(
      '✗ test: no report (1.0 s)',
    );
  });
});

describe.skipIf(process.platform !== 'linux')(
  'a slow machine',
  { meta: { skipReason: 'cores can be chosen on Linux only' } },
  () => {
    test('has one core, for whatever is started, and a loop that keeps it busy', () => {
      const source = `
        import { execFileSync } from 'node:child_process';
        import { useOneBusyCore } from ${JSON.stringify(new URL('../../src/testing/slow-machine.ts', import.meta.url).href)};
        import { processTree } from ${JSON.stringify(new URL('../../src/testing/process-tree.ts', import.meta.url).href)};
        await using machine = await useOneBusyCore();
        const coresOf = (pid) => execFileSync('taskset', ['-c', '-p', String(pid)], { encoding: 'utf8' }).split(': ')[1].trim();
        console.log(processTree(process.pid).filter((pid) => pid !== process.pid).map(coresOf).join());
        console.log(execFileSync('nproc', { encoding: 'utf8' }).trim());`;
      const output = execFileSync(process.execPath, ['--input-type=module', '--eval', source], {
        encoding: 'utf8',
      });
      expect(output).toMatch(/^(\d+)\n1\n$/);
    });

    test('stops one of its processes now and then, lets it go on, and leaves alone what a test froze', async () => {
      const [victim, frozen] = [spawn('sleep', ['600']), spawn('sleep', ['600'])];
      await Promise.all([once(victim, 'spawn'), once(frozen, 'spawn')]);
      frozen.kill('SIGSTOP');
      await waitUntil(() => isStopped(frozen.pid), { what: 'the frozen process' });
      const ended = new AbortController();
      const stalling = stallProcesses(ended.signal, () => 0.999);
      await waitUntil(() => isStopped(victim.pid), { what: 'a stall', everyMs: 5 });
      await waitUntil(() => !isStopped(victim.pid), { what: 'the end of a stall', everyMs: 5 });
      ended.abort();
      await stalling;
      expect([victim, frozen].map((child) => isStopped(child.pid))).toEqual([false, true]);
      for (const child of [victim, frozen]) child.kill('SIGKILL');
    });
  },
);

function report(more: Partial<WorkspaceReport> = {}): WorkspaceReport {
  return {
    workspace: 'packages/store',
    passed: 3,
    failed: 0,
    skipped: 0,
    failures: [],
    skips: [],
    files: [],
    ...more,
  };
}

function isStopped(pid = 0): boolean {
  return /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
