/**
 * The entry of `npm test`: starts one Postgres and one Redis for all workspaces, runs their tests, two workspaces at a time, and
 * ends with a line that sums up. `npm test -- --filter=@paywatch/store` runs one workspace.
 */
import { relative } from 'node:path';
import { aborted, interruption } from './interruption.ts';
import { killTree } from './process-tree.ts';
import { startPostgres } from './postgres.ts';
import { repositoryFolder } from './processes.ts';
import { startRedis } from './redis.ts';
import { spawnBound } from './server-process.ts';
import { readReports, removeReports, reportFile, sumCounts } from './test-report.ts';

const interrupted = interruption();
process.exit(await main(process.argv.slice(2)));

async function main(turboArguments: string[]): Promise<number> {
  removeReports(repositoryFolder);
  await using servers = new AsyncDisposableStack();
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  servers.defer(() => redis.stop());
  servers.defer(() => postgres.stop());
  const exitCode = await runTests(turboArguments, { DATABASE_URL: postgres.url, REDIS_URL: redis.url });
  return summarize(exitCode);
}

/** Interrupted, they may end in order; vitest finishes what it has begun, so after three seconds they are killed. */
async function runTests(turboArguments: string[], servers: Record<string, string>): Promise<number> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const options = ['--concurrency=2', '--continue', '--ui=stream', '--no-daemon'];
  const command = {
    name: 'turbo',
    command: 'turbo',
    args: ['run', 'test', ...options, ...turboArguments, '--', ...reporters],
    cwd: repositoryFolder,
    env: { ...process.env, ...servers, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' },
    deathSignal: 'SIGTERM',
  } as const;
  const turbo = await spawnBound(command, ['ignore', 'inherit', 'inherit']);
  void aborted(interrupted).then(() => {
    turbo.kill('SIGINT');
    setTimeout(() => killTree(Number(turbo.pid)), 3000);
  });
  return new Promise((resolve) => turbo.once('exit', (code) => resolve(code ?? 130)));
}

function summarize(exitCode: number): number {
  const reports = readReports(repositoryFolder);
  console.log('');
  for (const { workspace, passed, failed, skipped } of reports) {
    console.log(
      `  ${workspace}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    );
  }
  // Again and last: of a long log, often only the end is kept.
  for (const { name, message } of reports.flatMap(({ failures }) => failures)) {
    console.log(`\nFAILED ${relative(repositoryFolder, name)}\n${message}`);
  }
  const { passed, failed } = sumCounts(reports);
  const isComplete = exitCode === 0 && passed > 0 && failed === 0;
  // A workspace whose tests could not run at all left no report, but its task failed.
  const unreported = exitCode !== 0 && failed === 0 && !interrupted.aborted ? 1 : 0;
  if (interrupted.aborted) console.log('interrupted');
  else if (unreported > 0) console.log('a workspace failed without a report: see above');
  console.log(`${passed} passed, ${failed + unreported} failed`);
  return isComplete ? 0 : exitCode || 1;
}
