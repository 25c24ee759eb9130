import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** What came of one workspace's tests. `failed` counts what could not even be loaded, too. */
export type TestCount = { workspace: string; passed: number; failed: number; skipped: number };

/** Where each workspace's vitest leaves its report, relative to the workspace. */
export const reportFile = '.turbo/vitest.json';

const manifestShape = z.object({
  workspaces: z.array(z.string()).optional(),
  scripts: z.record(z.string(), z.string()).optional(),
});

const reportShape = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

/** Removes the reports of an earlier run, so that none of them is taken for one of this run. */
export function removeReports(repository: string): void {
  for (const workspace of testedWorkspaces(repository))
    rmSync(join(repository, workspace, reportFile), { force: true });
}

/** Reads the reports of this run. A workspace that left none did not take part, or did not get that far. */
export function readReports(repository: string): TestCount[] {
  return testedWorkspaces(repository).flatMap((workspace) => {
    const file = join(repository, workspace, reportFile);
    return existsSync(file) ? [countTests(workspace, readFileSync(file, 'utf8'))] : [];
  });
}

/** The sum over several workspaces. */
export function sumCounts(counts: readonly TestCount[]): Omit<TestCount, 'workspace'> {
  const sum = (of: (count: TestCount) => number) => counts.reduce((total, count) => total + of(count), 0);
  return { passed: sum((c) => c.passed), failed: sum((c) => c.failed), skipped: sum((c) => c.skipped) };
}

/** Reads one report of vitest's JSON reporter; throws on any other text. */
export function countTests(workspace: string, json: string): TestCount {
  const report = reportShape.parse(JSON.parse(json));
  // A file that throws while it is loaded has failed without a failed test.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  ).length;
  return {
    workspace,
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function testedWorkspaces(repository: string): string[] {
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
