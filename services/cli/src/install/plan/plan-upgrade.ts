import { SERVICE_UNITS, type ServiceUnit } from '../paths.ts';

/** One step of an upgrade. */
export type UpgradeStep =
  | { kind: 'backup' }
  | { kind: 'program'; release: string }
  | { kind: 'migrate' }
  | { kind: 'restart'; unit: ServiceUnit };

/**
 * Backs up, changes the program, migrates, and restarts one process after the other: watchers before the API, and one replica of the
 * API while the other serves. Without a backup folder there is no backup.
 */
export function planUpgrade(release: string, hasBackups: boolean): UpgradeStep[] {
  return [
    ...(hasBackups ? [{ kind: 'backup' } as const] : []),
    { kind: 'program', release },
    { kind: 'migrate' },
    ...SERVICE_UNITS.map((unit) => ({ kind: 'restart', unit }) as const),
  ];
}

/**
 * Returns to the program before, after `done` steps of an upgrade. The database keeps its migrations, which only add: the old one
 * would lack the leases and payments since the backup.
 */
export function planReturn(previous: string, done: readonly UpgradeStep[]): UpgradeStep[] {
  const hasNewProgram = done.some(({ kind }) => kind === 'program');
  const restarts = done.filter((step) => step.kind === 'restart');
  return hasNewProgram ? [{ kind: 'program', release: previous }, ...restarts] : [];
}

type Descriptions = {
  [Kind in UpgradeStep['kind']]: (step: Extract<UpgradeStep, { kind: Kind }>) => string;
};

const DESCRIPTIONS: Descriptions = {
  backup: () => 'back up the database',
  program: ({ release }) => `change the program to ${release}`,
  migrate: () => 'update the schema of the database',
  restart: ({ unit }) => `restart ${unit}, and wait until it is ready`,
};

/** One line for the operator. */
export function describeUpgradeStep(step: UpgradeStep): string {
  const describe = DESCRIPTIONS[step.kind] as (step: UpgradeStep) => string;
  return describe(step);
}
