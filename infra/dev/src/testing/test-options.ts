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
