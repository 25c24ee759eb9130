import { parseArgs } from 'node:util';

/** How `npm test` runs. */
export type TestOptions = {
  /** Everything on one core, beside a busy loop on the same core. */
  isSlow: boolean;
  /** A random process of the run is stopped for 0.1 to 1 s every second. */
  hasStalls: boolean;
  /** Only what changed since the branch left main. */
  isAffected: boolean;
  /** Names of workspaces, in Turborepo's syntax; none means all. */
  filters: string[];
};

const USAGE = `npm test -- [--affected] [--filter WORKSPACE] [--slow] [--stalls]

  --affected  only tests of what changed since main
  --filter    only one workspace, for example @paywatch/api; may be repeated
  --slow      on one core, beside a busy loop on the same core
  --stalls    stop a random process for 0.1 to 1 s every second`;

/** Parses the words after `npm test --`. Prints the usage and exits with 2 on an option that does not exist. */
export function readTestOptions(words: readonly string[]): TestOptions {
  try {
    return parseTestOptions(words);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return process.exit(2);
  }
}

/** Parses the words after `npm test --`. Throws on an option that does not exist. */
export function parseTestOptions(words: readonly string[]): TestOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      slow: { type: 'boolean', default: false },
      stalls: { type: 'boolean', default: false },
      affected: { type: 'boolean', default: false },
      filter: { type: 'string', multiple: true, default: [] },
    },
  });
  const { slow, stalls, affected, filter } = values;
  return { isSlow: slow, hasStalls: stalls, isAffected: affected, filters: filter };
}

/** One line about the options of this run; undefined without options. */
export function describeMode({ isSlow, hasStalls, isAffected }: TestOptions): string | undefined {
  const modes = [
    isSlow && 'slow: one core, beside a busy loop on the same core',
    hasStalls && 'stalls: a random process is stopped for 0.1 to 1 s every second',
    isAffected && 'affected: only what changed since main',
  ].filter((mode) => mode !== false);
  return modes.length === 0 ? undefined : modes.join('; ');
}
