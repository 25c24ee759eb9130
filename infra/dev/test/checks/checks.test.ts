import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findIn } from '../../src/checks/ambient-reads.ts';
import { readReport, readReports, removeReports, sumCounts } from '../../src/testing/test-report.ts';

describe('clock, randomness and environment', () => {
  test.each([
    ['services/api/src/invoices/create-invoice.ts', 'const now = Date.now();', 1],
    ['services/api/src/invoices/create-invoice.ts', 'const at = new Date(nowMs);', 0],
    ['services/api/src/invoices/create-invoice.ts', '// not Date.now(): the clock is handed in', 0],
    ['packages/domain/src/values/money.ts', 'if (process.env.DEBUG) log();', 1],
    ['services/api/src/config.ts', 'export function read(env = process.env) {', 0],
    ['services/api/src/config.ts', 'const id = randomUUID();', 1],
    ['packages/runtime/src/process/clock.ts', 'return Date.now();', 0],
    ['packages/client/src/index.ts', 'nowMs = Date.now()', 0],
  ])('%s: %s', (file, line, expected) => {
    expect(findIn(file, line)).toHaveLength(expected);
  });
});

describe('the report of npm test', () => {
  test('counts a file that failed to load as a failure', () => {
    const broken = report({
      testResults: [
        {
          name: 'test/a.test.ts',
          status: 'failed',
          message: 'no such module',
          ...times,
          assertionResults: [],
        },
      ],
    });
    expect(readReport('packages/store', broken)).toMatchObject({
      workspace: 'packages/store',
      passed: 3,
      failed: 1,
      skipped: 1,
      failures: [{ name: 'test/a.test.ts', message: 'no such module' }],
    });
  });

  test('names each failed test with the start of its message', () => {
    const { failures } = readReport('packages/store', report({ testResults: [withOneFailure] }));
    expect(failures).toEqual([
      { name: 'test/a.test.ts > a pool is never dry', message: 'expected 0 to be 1' },
    ]);
  });

  test('contains the reasons of skipped tests and the duration of each file', () => {
    const skipped = [
      {
        status: 'skipped',
        fullName: 'a real Prometheus',
        meta: { skipReason: 'prometheus is not installed' },
      },
      { status: 'skipped', fullName: 'another one', meta: {} },
    ];
    const testResults = [{ name: 'test/a.test.ts', status: 'passed', ...times, assertionResults: skipped }];
    const { skips, files } = readReport('test', report({ testResults }));
    expect(skips).toEqual([
      { name: 'test/a.test.ts > a real Prometheus', reason: 'prometheus is not installed' },
      { name: 'test/a.test.ts > another one', reason: 'no reason given' },
    ]);
    expect(files).toEqual([{ name: 'test/a.test.ts', durationMs: 2500 }]);
  });

  test('sums over the workspaces with tests and ignores earlier runs', () => {
    const repository = mkdtempSync(join(tmpdir(), 'report-'));
    const write = (file: string, text: string) => {
      mkdirSync(join(repository, file, '..'), { recursive: true });
      writeFileSync(join(repository, file), text);
    };
    write('package.json', '{"workspaces":["packages/*"]}');
    write('packages/a/package.json', '{"scripts":{"test":"vitest run"}}');
    write('packages/b/package.json', '{"scripts":{}}');
    write('packages/a/.turbo/vitest.json', report({ testResults: [withOneFailure] }));
    expect(sumCounts(readReports(repository))).toEqual({ passed: 3, failed: 1, skipped: 1 });
    removeReports(repository);
    expect(readReports(repository)).toEqual([]);
    rmSync(repository, { recursive: true });
  });
});

const times = { startTime: 1000, endTime: 3500 };

const withOneFailure = {
  name: 'test/a.test.ts',
  status: 'failed',
  ...times,
  assertionResults: [
    { status: 'passed', fullName: 'a pool is full' },
    { status: 'failed', fullName: 'a pool is never dry', failureMessages: ['expected 0 to be 1'] },
  ],
};

function report(over: object): string {
  return JSON.stringify({
    numPassedTests: 3,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [],
    ...over,
  });
}
