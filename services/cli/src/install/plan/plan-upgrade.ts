import { SERVICE_UNITS, type ServiceUnit } from '../paths.ts';

/** One step of an upgrade. */
export type UpgradeStep =
  | { kind: 'backup' }
  | { kind: 'program'; release: string }
  | { kind: 'migrate' }
  | { kind: 'forget-migration' }
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
 * would lack the leases and payments since the backup. Nothing runs in the unit of a failed migration, so it does not stay failed.
 */
export function planReturn(previous: string, done: readonly UpgradeStep[]): UpgradeStep[] {
  const hasNewProgram = done.some(({ kind }) => kind === 'program');
  const restarts = done.filter((step) => step.kind === 'restart');
  const failedMigration = done.at(-1)?.kind === 'migrate' ? [{ kind: 'forget-migration' } as const] : [];
  return hasNewProgram ? [{ kind: 'program', release: previous }, ...failedMigration, ...restarts] : [];
}

type Descriptions = {
  [Kind in UpgradeStep['kind']]: (step: Extract<UpgradeStep, { kind: Kind }>) => string;
};

const DESCRIPTIONS: Descriptions = {
  backup: () => 'back up the database',
  program: ({ release }) => `change the program to ${release}`,
  migrate: () => 'update the schema of the database',
  'forget-migration': () =>
    'clear the failed state of paywatch-migrate.service; the journal keeps its errors',
  restart: ({ unit }) => `restart ${unit}, and wait until it is ready`,
};

/** One line for the operator. */
export function describeUpgradeStep(step: UpgradeStep): string {
  const describe = DESCRIPTIONS[step.kind] as (step: UpgradeStep) => string;
  return describe(step);
}
