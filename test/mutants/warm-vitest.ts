/**
 * A reused vitest process: runs test files of its workspace whenever the parent process requests it, without restarting servers or
 * transforming unchanged modules again. Sends a message when it is ready, and a result for each request.
 */
import { killTree, processTree } from '@paywatch/dev/testing';
import { join, relative, sep } from 'node:path';
import { createVitest, type TestRunResult, type TestSpecification } from 'vitest/node';

/** Test files to run, relative to the workspace, or all that import `related`, except those in a folder. */
export type WarmRequest = {
  tests: readonly string[] | 'related';
  related: string;
  without?: string;
  /** Files that may have changed since the last run. */
  touched: readonly string[];
};

export type WarmAnswer = 'ready' | 'passed' | 'failed';

// Test files share one worker and its modules: a worker per file would take longer than most tests.
const vitest = await createVitest('test', {
  watch: false,
  isolate: false,
  bail: 1,
  reporters: ['dot'],
  setupFiles: [join(import.meta.dirname, 'fixed-seed.ts')],
});
await vitest.standalone();
process.on('message', (request: WarmRequest) => {
  void run(request).then(answer);
});
// The worker that runs a test, and the nodes that the test started, would go on without this process.
process.once('disconnect', () => {
  // Itself last: nobody else would kill the others.
  processTree(process.pid).slice(1).forEach(killTree);
  process.exit();
});
answer('ready');

function answer(result: WarmAnswer): void {
  process.send?.(result);
}

async function run({ tests, related, without, touched }: WarmRequest): Promise<WarmAnswer> {
  for (const file of touched) vitest.invalidateFile(file);
  if (tests === 'related') vitest.config.related = [related];
  const found = await vitest.getRelevantTestSpecifications(tests === 'related' ? [] : [...tests]);
  const chosen = found.filter((specification) => without === undefined || !isBelow(specification, without));
  if (chosen.length === 0) throw new Error(`no tests import ${related}`);
  return hasPassed(await vitest.runTestSpecifications(chosen), chosen) ? 'passed' : 'failed';
}

function isBelow({ moduleId, project }: TestSpecification, folder: string): boolean {
  return relative(project.config.root, moduleId).startsWith(folder + sep);
}

/** Selects the results of this run: vitest keeps those of earlier ones. */
function hasPassed(
  { testModules, unhandledErrors }: TestRunResult,
  chosen: readonly TestSpecification[],
): boolean {
  const files = new Set(chosen.map(({ moduleId }) => moduleId));
  const modules = testModules.filter(({ moduleId }) => files.has(moduleId));
  return unhandledErrors.length === 0 && modules.length === files.size && modules.every((one) => one.ok());
}
