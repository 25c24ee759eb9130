import { failed, ok, warning, type Finding } from './finding.ts';

/** Webhook receivers refuse timestamps that are off by five minutes; this warns much earlier. */
const MAX_SKEW_MS = 5000;
/** Older versions lack features that the schema uses. */
const MIN_MAJOR = 15;

/** Judges version and write access. `version` begins with the major version, as in `15.4 (Debian 15.4-1)`. Pure. */
export function judgePostgres({ version, isReadOnly }: { version: string; isReadOnly: boolean }): Finding {
  if (isReadOnly)
    return failed(
      'Postgres',
      `${version} is read-only`,
      'DATABASE_URL must name the primary, not a standby.',
    );
  if (Number.parseInt(version, 10) < MIN_MAJOR)
    return warning('Postgres', version, `Postgres before ${MIN_MAJOR} is unsupported. Upgrade it.`);
  return ok('Postgres', version);
}

/** Judges by how many milliseconds the clock of Postgres is ahead of that of this machine. Pure. */
export function judgeClock(aheadMs: number): Finding {
  const skewMs = Math.round(aheadMs);
  const detail = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this machine`;
  return Math.abs(skewMs) <= MAX_SKEW_MS
    ? ok('Clock', `Postgres is ${detail}`)
    : warning(
        'Clock',
        `Postgres is ${detail}`,
        'Run NTP on both machines: webhook signatures contain the time.',
      );
}

/** Migrations: applied ones, those of this release that are missing, and applied ones of another release. */
export type AppliedMigrations = { applied: number; pending: number; unknown: number };

/** Judges whether the schema matches this release. Pure. */
export function judgeSchema({ applied, pending, unknown }: AppliedMigrations): Finding {
  if (pending > 0) return failed('Schema', `${pending} pending migrations`, 'Run `paywatch migrate`.');
  if (unknown > 0)
    return warning(
      'Schema',
      `${unknown} of ${applied} migrations are from another release`,
      'A newer release has migrated the database. Use the CLI and the services of that release.',
    );
  return ok('Schema', `up to date (${applied} migrations)`);
}
