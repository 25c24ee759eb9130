import type { Terminal } from '@paywatch/dev/commands';
import { equivalentMutants } from './equivalent-mutants.ts';
import { applyMutation, nameChanges, sampleOf, type Mutation } from './mutation.ts';
import type { Part, Suite } from './parts.ts';
import { lastOutput, runSuites, type SuiteContext } from './run-suites.ts';
import { sqlMutants } from './sql-mutants.ts';
import { typescriptMutants } from './typescript-mutants.ts';
import type { WorkspaceCopy } from './workspace-copy.ts';

/** A mutation of one file of a part. */
export type Mutant = { file: string; mutation: Mutation };

/** What became of the mutants of a part. `unexplained` are survivors that are not listed as equivalent. */
export type PartScore = {
  name: string;
  floor: number;
  killed: number;
  survived: number;
  score: number;
  unexplained: Mutant[];
};

/** What is asked of a run. `files` are parts of names; all where it is empty. */
export type ScoreOptions = { seed: number; sample: number; files: readonly string[] };

/** All mutants of a part, by file and position. */
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
 * Mutates the sources of a part one by one, each in one of the copies, and runs their tests. Throws where tests fail without a
 * mutation: then a failure says nothing.
 */
export async function scorePart(
  part: Part,
  copies: readonly WorkspaceCopy[],
  { seed, sample, files }: ScoreOptions,
  { env, terminal }: { env: Readonly<Record<string, string>>; terminal: Terminal },
): Promise<PartScore> {
  const [first] = copies;
  if (!first) throw new Error('a copy of the repository is needed');
  const all = mutantsOf(part, first.read).filter(({ file }) => isAsked(file, files));
  const queue = sampleOf(all, sample, seed);
  const greenMs = await timeGreenRun(part, first, queue, env);
  const hangsAfterMs = Math.max(LEAST_HANG_MS, HANG_FACTOR * greenMs);
  const survivors: Mutant[] = [];
  const work = queue.values();
  await Promise.all(
    copies.map(async (copy) => {
      for (const mutant of work) {
        if (await isKilled(part, copy, mutant, { env, hangsAfterMs })) continue;
        survivors.push(mutant);
        terminal.line(
          `  survived: ${describe(mutant)}${reasonOf(mutant) === undefined ? '' : ' (equivalent)'}`,
        );
      }
    }),
  );
  const survived = survivors.length;
  const killed = queue.length - survived;
  const unexplained = survivors.filter((mutant) => reasonOf(mutant) === undefined);
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

/** A mutant whose tests take so much longer than green ones loops or waits for ever. */
const HANG_FACTOR = 5;
const LEAST_HANG_MS = 120_000;
/** However slow the machine is. */
const GREEN_WITHIN_MS = 7_200_000;

async function timeGreenRun(
  part: Part,
  copy: WorkspaceCopy,
  queue: readonly Mutant[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const startedMs = performance.now();
  const suites = [...new Set(queue.map(({ file }) => file))].flatMap((file) => part.suitesOf(file));
  const context = { mutated: '', env, hangsAfterMs: GREEN_WITHIN_MS };
  const result = await runSuites(copy, wholeSuites(suites), context);
  if (result !== 'passed')
    throw new Error(`the tests of ${part.name} ${result} without a mutation:\n${lastOutput(copy)}`);
  return performance.now() - startedMs;
}

/** Each workspace once: with all of its tests where any file asks for those that are related to it. */
function wholeSuites(suites: readonly Suite[]): Suite[] {
  const workspaces = [...new Set(suites.map(({ workspace }) => workspace))];
  return workspaces.map((workspace) => {
    const own = suites.filter((suite) => suite.workspace === workspace);
    const needsAll = own.some(({ tests }) => tests === 'related');
    const named = own.flatMap(({ tests }) => (tests === 'related' ? [] : tests));
    const without = own.find((suite) => suite.without !== undefined)?.without;
    const tests = needsAll ? [] : [...new Set(named)];
    return { workspace, tests, ...(without === undefined ? {} : { without }) };
  });
}

async function isKilled(
  part: Part,
  copy: WorkspaceCopy,
  { file, mutation }: Mutant,
  context: Omit<SuiteContext, 'mutated'>,
): Promise<boolean> {
  const source = copy.read(file);
  copy.write(file, applyMutation(source, mutation));
  try {
    return (await runSuites(copy, part.suitesOf(file), { ...context, mutated: file })) !== 'passed';
  } finally {
    copy.write(file, source);
  }
}

function describe({ file, mutation: { line, name } }: Mutant): string {
  return `${file}:${line} ${name}`;
}

function reasonOf({ file, mutation: { name } }: Mutant): string | undefined {
  return equivalentMutants[file]?.[name];
}
