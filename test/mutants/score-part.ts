import type { Terminal } from '@paywatch/dev/commands';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { equivalentMutants } from './equivalent-mutants.ts';
import { applyMutation, nameChanges, sampleOf, type Mutation } from './mutations/mutation.ts';
import { namedMutants } from './named-mutants.ts';
import type { Part, Suite } from './parts.ts';
import { createSuiteRunner, type SuiteRunner } from './run-suites.ts';
import { sqlMutants } from './mutations/sql-mutants.ts';
import { typescriptMutants } from './mutations/typescript-mutants.ts';
import { digestOf, type VerdictKey, type VerdictLog } from './verdict-log.ts';
import type { WorkspaceCopy } from './workspace-copy.ts';

/** A mutation of one file of a part. */
export type Mutant = { file: string; mutation: Mutation };

/** The result of a part. `unexplained` are survivors that are not listed as equivalent. */
export type PartScore = {
  name: string;
  floor: number;
  killed: number;
  survived: number;
  score: number;
  unexplained: Mutant[];
};

/** Options of a run. `files` are parts of file names; empty for all. */
export type ScoreOptions = { seed: number; sample: number; files: readonly string[] };

/** What the mutants of all parts share. */
export type ScoreContext = { env: Readonly<Record<string, string>>; terminal: Terminal; log: VerdictLog };

/** Lists all mutants of a part, by file and position. */
export function mutantsOf({ files }: Part, read: (file: string) => string): Mutant[] {
  return files.flatMap((file) => mutationsOf(file, read(file)).map((mutation) => ({ file, mutation })));
}

/** Mutants that are tested in every run. */
export function namedMutantsOf({ files }: Part, read: (file: string) => string): Mutant[] {
  return files.flatMap((file) => namedMutants(file, read(file)).map((mutation) => ({ file, mutation })));
}

function mutationsOf(file: string, source: string): Mutation[] {
  if (!file.endsWith('.sql')) return typescriptMutants(source);
  return nameChanges(
    source,
    sqlMutants(source).map((change) => ({ ...change, within: 'statement' })),
  );
}

/**
 * Tests the mutants of a part, distributed over the copies; those in the log and those listed as equivalent are not tested again.
 * Throws if tests fail without a mutation, because failures then prove nothing.
 */
export async function scorePart(
  part: Part,
  copies: readonly WorkspaceCopy[],
  { seed, sample, files }: ScoreOptions,
  { env, terminal, log }: ScoreContext,
): Promise<PartScore> {
  const [first] = copies;
  if (!first) throw new Error('no copy of the repository');
  const all = mutantsOf(part, first.read).filter(({ file }) => isAsked(file, files));
  const named = namedMutantsOf(part, first.read).filter(({ file }) => isAsked(file, files));
  const queue = [...named, ...sampleOf(all, sample, seed)];
  const survivors: Mutant[] = [];
  const reportProgress = createProgress(queue.length, terminal);
  const work = queue.values();
  const greenRuns: GreenRuns = new Map();
  await Promise.all(
    copies.map(async (copy) => {
      using lane = createLane(part, copy, { env, greenRuns });
      for (const mutant of work) {
        const isKilled =
          !isEquivalent(mutant) && (await isKilledBy(lane, mutant, keyOf(mutant, part, copy), log));
        if (!isKilled) survivors.push(mutant);
        if (!isKilled)
          terminal.line(`  survived: ${describe(mutant)}${isEquivalent(mutant) ? ' (equivalent)' : ''}`);
        reportProgress(survivors.length);
      }
    }),
  );
  const survived = survivors.length;
  const killed = queue.length - survived;
  const unexplained = survivors.filter((mutant) => !isEquivalent(mutant));
  return {
    name: part.name,
    floor: part.floor,
    killed,
    survived,
    score: killed / Math.max(1, queue.length),
    unexplained,
  };
}

async function isKilledBy(lane: Lane, mutant: Mutant, key: VerdictKey, log: VerdictLog): Promise<boolean> {
  const known = log.find(key);
  if (known !== undefined) return known;
  const isKilled = await lane.isKilled(mutant);
  log.add(key, isKilled);
  return isKilled;
}

/** The result depends on the mutated file and its tests; other modules are left out, so that a small change keeps most results. */
function keyOf({ file, mutation: { name } }: Mutant, part: Part, copy: WorkspaceCopy): VerdictKey {
  const tests = part.suitesOf(file).flatMap((suite) => testFilesOf(suite, copy));
  return { file, name, digest: digestOf([file, ...tests].map(copy.read)) };
}

function testFilesOf({ workspace, tests }: Suite, { folder }: WorkspaceCopy): string[] {
  const files =
    tests === 'related' ? globSync('test/**/*.ts', { cwd: join(folder, workspace) }).toSorted() : tests;
  return files.map((test) => `${workspace}/${test}`);
}

const REPORT_EVERY = 10;

/** Prints how far the run is after every tenth mutant. */
function createProgress(total: number, terminal: Terminal): (survived: number) => void {
  const startedMs = performance.now();
  let done = 0;
  return (survived) => {
    done += 1;
    if (done % REPORT_EVERY !== 0) return;
    const leftMin = (((performance.now() - startedMs) / done) * (total - done)) / 60_000;
    terminal.line(`  ${done} of ${total}: ${survived} survived, about ${leftMin.toFixed(0)} min left`);
  };
}

function isAsked(file: string, files: readonly string[]): boolean {
  return files.length === 0 || files.some((asked) => file.includes(asked));
}

/** A mutant whose tests take this many times as long counts as an endless loop or wait. */
const HANG_FACTOR = 5;
const LEAST_HANG_MS = 30_000;
/** The time limit of tests without a mutation, for slow machines. */
const GREEN_WITHIN_MS = 3_600_000;

/** How long the tests took without a mutation, in milliseconds. They are the same in all copies. */
type GreenRuns = Map<string, Promise<number>>;

type Lane = Disposable & { isKilled(mutant: Mutant): Promise<boolean> };

/** Tests mutants in one copy, one after another. Tests must have passed without a mutation first. */
function createLane(
  part: Part,
  copy: WorkspaceCopy,
  { env, greenRuns }: { env: Readonly<Record<string, string>>; greenRuns: GreenRuns },
): Lane {
  const runner = createSuiteRunner(copy, env);
  const fails = async (suite: Suite, { file, mutation }: Mutant): Promise<boolean> => {
    const greenMs = await timeGreenRun(runner, suite, file, greenRuns);
    const source = copy.read(file);
    copy.write(file, applyMutation(source, mutation));
    try {
      return (await runner.run(suite, file, hangsAfterMs(greenMs))) !== 'passed';
    } finally {
      copy.write(file, source);
    }
  };
  return {
    isKilled: async (mutant) => {
      for (const suite of part.suitesOf(mutant.file).flatMap(splitSuite))
        if (await fails(suite, mutant)) return true;
      return false;
    },
    [Symbol.dispose]: () => runner[Symbol.dispose](),
  };
}

function hangsAfterMs(greenMs: number): number {
  return Math.max(LEAST_HANG_MS, HANG_FACTOR * Math.round(greenMs));
}

/** One run for each test file: most mutants fail in the first, and a hanging one is noticed by the duration of that file alone. */
function splitSuite(suite: Suite): Suite[] {
  if (suite.tests === 'related') return [suite];
  return suite.tests.map((test) => ({ ...suite, tests: [test] }));
}

function timeGreenRun(
  runner: SuiteRunner,
  suite: Suite,
  file: string,
  greenRuns: GreenRuns,
): Promise<number> {
  const name =
    suite.tests === 'related' ? `${suite.workspace} ${file}` : `${suite.workspace} ${suite.tests.join()}`;
  const known = greenRuns.get(name);
  if (known) return known;
  const timed = runGreen(runner, suite, file);
  greenRuns.set(name, timed);
  return timed;
}

async function runGreen(runner: SuiteRunner, suite: Suite, file: string): Promise<number> {
  const startedMs = performance.now();
  const result = await runner.run(suite, file, GREEN_WITHIN_MS);
  if (result !== 'passed')
    throw new Error(`the tests of ${file} ${result} without a mutation:\n${runner.lastOutput()}`);
  return performance.now() - startedMs;
}

function describe({ file, mutation: { line, name } }: Mutant): string {
  return `${file}:${line} ${name}`;
}

function isEquivalent({ file, mutation: { name } }: Mutant): boolean {
  return equivalentMutants[file]?.[name] !== undefined;
}
