/** One workspace's part of `npm test`. */
export type TestTask = {
  /** Its folder, relative to the repository. */
  workspace: string;
  /** Arguments for vitest, besides the reporters. */
  args: string[];
};

/** Those that take longest begin first, so that no core is idle at the end; measured on two cores. */
const LONGEST_FIRST = [
  'test',
  'services/watcher',
  'services/api',
  'services/web',
  'packages/store',
  'services/webhook-worker',
  'services/cli',
  'infra/dev',
  'packages/domain',
];

/** The workspaces in the order in which they begin, all of their tests. */
export function planAll(workspaces: readonly string[]): TestTask[] {
  return workspaces.toSorted((a, b) => rank(a) - rank(b)).map((workspace) => ({ workspace, args: [] }));
}

/**
 * Of each workspace that changed since the commit `base`, the test files that import what changed, or all of its tests if a
 * file other than TypeScript changed, since imports do not show who uses it.
 */
export function planAffected(
  workspaces: readonly string[],
  base: string,
  changedFiles: readonly string[],
): TestTask[] {
  return planAll(workspaces).flatMap((task) => {
    const changed = changedFiles.filter((file) => file.startsWith(`${task.workspace}/`));
    if (changed.length === 0) return [];
    const isTraceable = changed.every((file) => /\/(src|test)\/.*\.tsx?$/.test(file));
    return [{ ...task, args: isTraceable ? [`--changed=${base}`, '--passWithNoTests'] : [] }];
  });
}

function rank(workspace: string): number {
  const index = LONGEST_FIRST.indexOf(workspace);
  return index < 0 ? LONGEST_FIRST.length : index;
}
