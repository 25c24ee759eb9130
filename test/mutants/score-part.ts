import type { Terminal } from '@paywatch/dev/commands';
import { equivalentMutants } from './equivalent-mutants.ts';
import { applyMutation, nameChanges, sampleOf, type Mutation } from './mutation.ts';
import type { Part, Suite } from './parts.ts';
import { createSuiteRunner, type SuiteRunner } from './run-suites.ts';
import { sqlMutants } from './sql-mutants.ts';
import { typescriptMutants } from './typescript-mutants.ts';
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

/** Lists all mutants of a part, by file and position. */
export function mutantsOf({ files }: Part, read: (file: string) => string): Mutant[] {
  return files.flatMap((file) => mutationsOf(file, read(file)).map((mutation) => ({ file, mutation })));
}

function mutationsOf(file: string, source: string): Mutation[] {
  if (!file.endsWith('.sql')) return typescriptMutants(source);
  return nameChanges(
    source,
    sqlMutants(source).map((change) => ({ ...change, within: 'statement' })),
  );
}

/**
 * Tests the mutants of a part, distributed over the copies. Throws if tests fail without a mutation, because failures then prove
 * nothing.
 */
export async function scorePart(
  part: Part,
  copies: readonly WorkspaceCopy[],
  { seed, sample, files }: ScoreOptions,
  { env, terminal }: { env: Readonly<Record<string, string>>; terminal: Terminal },
): Promise<PartScore> {
  const [first] = copies;
  if (!first) throw new Error('no copy of the repository');
  const all = mutantsOf(part, first.read).filter(({ file }) => isAsked(file, files));
  const queue = sampleOf(all, sample, seed);
  const survivors: Mutant[] = [];
  const work = queue.values();
  await Promise.all(
    copies.map(async (copy) => {
      using lane = createLane(part, copy, env);
      for (const mutant of work) {
        if (await lane.isKilled(mutant)) continue;
        survivors.push(mutant);
        terminal.line(`  survived: ${describe(mutant)}${isEquivalent(mutant) ? ' (equivalent)' : ''}`);
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

function isAsked(file: string, files: readonly string[]): boolean {
  return files.length === 0 || files.some((asked) => file.includes(asked));
}

/** A mutant whose tests take this many times as long counts as an endless loop or wait. */
const HANG_FACTOR = 5;
const LEAST_HANG_MS = 120_000;
/** The minimum of that time limit, for slow machines. */
const GREEN_WITHIN_MS = 3_600_000;

/** Tests mutants in one copy, one after another. Before the first mutant of a file its tests must pass. */
function createLane(
  part: Part,
  copy: WorkspaceCopy,
  env: Readonly<Record<string, string>>,
): Disposable & { isKilled(mutant: Mutant): Promise<boolean> } {
  const runner = createSuiteRunner(copy, env);
  const green = new Map<string, TimedSuite[]>();
  return {
    isKilled: async ({ file, mutation }) => {
      const suites = green.get(file) ?? (await timeGreenRuns(runner, part, file));
      green.set(file, suites);
      const source = copy.read(file);
      copy.write(file, applyMutation(source, mutation));
      try {
        return await failsAny(runner, suites, file);
      } finally {
        copy.write(file, source);
      }
    },
    [Symbol.dispose]: () => runner[Symbol.dispose](),
  };
}

type TimedSuite = { suite: Suite; hangsAfterMs: number };

async function timeGreenRuns(runner: SuiteRunner, part: Part, file: string): Promise<TimedSuite[]> {
  const timed: TimedSuite[] = [];
  for (const suite of part.suitesOf(file)) {
    const startedMs = performance.now();
    const result = await runner.run(suite, file, GREEN_WITHIN_MS);
    if (result !== 'passed')
      throw new Error(`the tests of ${file} ${result} without a mutation:\n${runner.lastOutput()}`);
    const tookMs = performance.now() - startedMs;
    timed.push({ suite, hangsAfterMs: Math.max(LEAST_HANG_MS, HANG_FACTOR * Math.round(tookMs)) });
  }
  return timed;
}

async function failsAny(runner: SuiteRunner, suites: readonly TimedSuite[], file: string): Promise<boolean> {
  for (const { suite, hangsAfterMs } of suites)
    if ((await runner.run(suite, file, hangsAfterMs)) !== 'passed') return true;
  return false;
}

function describe({ file, mutation: { line, name } }: Mutant): string {
  return `${file}:${line} ${name}`;
}

function isEquivalent({ file, mutation: { name } }: Mutant): boolean {
  return equivalentMutants[file]?.[name] !== undefined;
}
