/**
 * The program of a vitest that stays warm: runs test files of the workspace it is started in, as often as its parent process asks for
 * it, without starting its servers or transforming unchanged modules anew. Answers once it can take requests, and each of them.
 */
import { join, relative, sep } from 'node:path';
import { createVitest, type TestRunResult, type TestSpecification } from 'vitest/node';

/** Test files to run, relative to the workspace, or all that import `related`, without those below a folder. */
export type WarmRequest = {
  tests: readonly string[] | 'related';
  related: string;
  without?: string;
  /** Files that may have changed since the last run. */
  touched: readonly string[];
};

export type WarmAnswer = 'ready' | 'passed' | 'failed';

// Files of one worker share their modules: a worker for each file would cost more than most of its tests.
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
process.once('disconnect', () => process.exit());
answer('ready');

function answer(result: WarmAnswer): void {
  process.send?.(result);
}

async function run({ tests, related, without, touched }: WarmRequest): Promise<WarmAnswer> {
  for (const file of touched) vitest.invalidateFile(file);
  if (tests === 'related') vitest.config.related = [related];
  const found = await vitest.getRelevantTestSpecifications(tests === 'related' ? [] : [...tests]);
  const chosen = found.filter((specification) => without === undefined || !isBelow(specification, without));
  if (chosen.length === 0) throw new Error(`no tests of ${related}`);
  return hasPassed(await vitest.runTestSpecifications(chosen), chosen) ? 'passed' : 'failed';
}

function isBelow({ moduleId, project }: TestSpecification, folder: string): boolean {
  return relative(project.config.root, moduleId).startsWith(folder + sep);
}

/** Results of earlier runs are kept beside those of this one. */
function hasPassed(
  { testModules, unhandledErrors }: TestRunResult,
  chosen: readonly TestSpecification[],
): boolean {
  const files = new Set(chosen.map(({ moduleId }) => moduleId));
  const modules = testModules.filter(({ moduleId }) => files.has(moduleId));
  return unhandledErrors.length === 0 && modules.length === files.size && modules.every((one) => one.ok());
}
