import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** What came of one workspace's tests. `failed` counts what could not even be loaded, too. */
export type TestCount = { workspace: string; passed: number; failed: number; skipped: number };

/** `TestCount` with the failed tests and the beginning of their errors, the skipped tests, and the duration of each file. */
export type WorkspaceReport = TestCount & {
  failures: { name: string; message: string }[];
  skips: { name: string; reason: string }[];
  files: { name: string; durationMs: number }[];
};

declare module 'vitest' {
  interface TaskMeta {
    /** Why a test is skipped here; the summary of `npm test` prints it. */
    skipReason?: string;
  }
}

/** Where each workspace's vitest leaves its report, relative to the workspace. */
export const reportFile = '.turbo/vitest.json';

const manifestShape = z.object({
  workspaces: z.array(z.string()).optional(),
  scripts: z.record(z.string(), z.string()).optional(),
});

const reportShape = z.object({
  numPassedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          meta: z.object({ skipReason: z.string().optional() }).default({}),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

type FileResult = z.infer<typeof reportShape>['testResults'][number];

/** Removes the reports of an earlier run, so that none of them is taken for one of this run. */
export function removeReports(repository: string): void {
  for (const workspace of testedWorkspaces(repository))
    rmSync(join(repository, workspace, reportFile), { force: true });
}

/** Reads the reports of this run. A workspace that left none did not take part, or did not get that far. */
export function readReports(repository: string): WorkspaceReport[] {
  return testedWorkspaces(repository).flatMap((workspace) => {
    const file = join(repository, workspace, reportFile);
    return existsSync(file) ? [readReport(workspace, readFileSync(file, 'utf8'))] : [];
  });
}

/** The sum over several workspaces. */
export function sumCounts(counts: readonly TestCount[]): Omit<TestCount, 'workspace'> {
  const sum = (of: (count: TestCount) => number) => counts.reduce((total, count) => total + of(count), 0);
  return { passed: sum((c) => c.passed), failed: sum((c) => c.failed), skipped: sum((c) => c.skipped) };
}

/** Reads one report of vitest's JSON reporter; throws on any other text. */
export function readReport(workspace: string, json: string): WorkspaceReport {
  const report = reportShape.parse(JSON.parse(json));
  const failures = report.testResults.flatMap(failuresOf);
  return {
    workspace,
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
    skips: report.testResults.flatMap(skipsOf),
    files: report.testResults.map(({ name, startTime, endTime }) => ({
      name,
      durationMs: endTime - startTime,
    })),
  };
}

/** The files that took longest, slowest first. */
export function slowestFiles(reports: readonly WorkspaceReport[], count: number): WorkspaceReport['files'] {
  return reports
    .flatMap(({ files }) => files)
    .toSorted((a, b) => b.durationMs - a.durationMs)
    .slice(0, count);
}

function skipsOf({ name, assertionResults }: FileResult): WorkspaceReport['skips'] {
  return assertionResults
    .filter(({ status }) => ['skipped', 'pending', 'todo', 'disabled'].includes(status))
    .map(({ fullName, meta }) => ({
      name: `${name} > ${fullName}`,
      reason: meta.skipReason ?? 'no reason given',
    }));
}

/** A file that throws while it is loaded, or in a hook of its own, has failed without a failed test. */
function failuresOf({ name, status, message, assertionResults }: FileResult): WorkspaceReport['failures'] {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (status === 'failed' && failed.length === 0) return [{ name, message: beginning(message) }];
  return failed.map((test) => ({
    name: `${name} > ${test.fullName}`,
    message: beginning(test.failureMessages?.join('\n') ?? ''),
  }));
}

function beginning(message: string): string {
  return message.split('\n').slice(0, 12).join('\n');
}

/** The folders of workspaces that have tests, relative to the repository. */
export function testedWorkspaces(repository: string): string[] {
  const { workspaces = [] } = readManifest(join(repository, 'package.json'));
  return globSync(
    workspaces.map((pattern) => `${pattern}/package.json`),
    { cwd: repository },
  )
    .filter((manifest) => readManifest(join(repository, manifest)).scripts?.['test'] !== undefined)
    .map(dirname)
    .toSorted();
}

function readManifest(file: string): z.infer<typeof manifestShape> {
  return manifestShape.parse(JSON.parse(readFileSync(file, 'utf8')));
}
