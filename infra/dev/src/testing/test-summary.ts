import { relative } from 'node:path';
import { repositoryFolder } from '../stack/processes.ts';
import { slowestFiles, sumCounts, type TestCount, type WorkspaceReport } from './test-report.ts';

const SLOWEST = 10;

/** How a workspace's tests ended, in one line. */
export function describeWorkspace(
  workspace: string,
  count: TestCount | undefined,
  { hasFailed, durationMs }: { hasFailed: boolean; durationMs: number },
): string {
  const counts = count === undefined ? 'no report' : countsOf(count);
  return `${hasFailed ? '✗' : '✓'} ${workspace}: ${counts} (${seconds(durationMs)})`;
}

/**
 * The summary of a run: skipped tests with reasons, slowest files, failures, the duration, and, alone on the last line, the
 * sums. A workspace that failed without a failed test counts as one failure.
 */
export function describeRun(
  reports: readonly WorkspaceReport[],
  run: { durationMs: number; unreported: readonly string[]; isInterrupted: boolean },
): { text: string; isGreen: boolean } {
  const { passed, failed, skipped } = sumCounts(reports);
  const sums = { passed, failed: failed + run.unreported.length, skipped };
  const lines = [
    ...describeSkips(reports),
    ...describeSlowest(reports),
    ...describeFailures(reports),
    ...run.unreported.flatMap((workspace) => [
      '',
      `FAILED ${workspace}: without a failed test; its output is above`,
    ]),
    '',
    ...(run.isInterrupted ? ['interrupted'] : []),
    `${reports.length} workspaces in ${seconds(run.durationMs)}`,
    countsOf(sums),
  ];
  return { text: lines.join('\n'), isGreen: sums.failed === 0 && !run.isInterrupted };
}

function describeSkips(reports: readonly WorkspaceReport[]): string[] {
  const skips = reports.flatMap((report) => report.skips);
  if (skips.length === 0) return [];
  return ['', 'Skipped:', ...skips.map(({ name, reason }) => `  ${reason}: ${fromRepository(name)}`)];
}

function describeSlowest(reports: readonly WorkspaceReport[]): string[] {
  const files = slowestFiles(reports, SLOWEST);
  return [
    '',
    'Slowest:',
    ...files.map(({ name, durationMs }) => `  ${seconds(durationMs).padStart(6)}  ${fromRepository(name)}`),
  ];
}

/** Again and last: of a long log, often only the end is kept. */
function describeFailures(reports: readonly WorkspaceReport[]): string[] {
  return reports
    .flatMap(({ failures }) => failures)
    .flatMap(({ name, message }) => ['', `FAILED ${fromRepository(name)}`, message]);
}

function countsOf({ passed, failed, skipped }: Omit<TestCount, 'workspace'>): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function fromRepository(name: string): string {
  return relative(repositoryFolder, name);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
