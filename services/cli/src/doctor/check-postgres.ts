import { systemClock } from '@paywatch/runtime/process';
import { inspectPostgres, readSchemaState, type Database } from '@paywatch/store/postgres';
import { failed, ok, warning, type Finding } from './finding.ts';

/** Webhook receivers refuse timestamps that are off by five minutes; this warns much earlier. */
const MAX_SKEW_MS = 5000;
/** Older versions lack features that the schema uses. */
const MIN_MAJOR = 15;

/** Checks version and write access. Throws if Postgres does not respond. */
export async function checkPostgres(database: Database): Promise<Finding> {
  return judgePostgres(await inspectPostgres(database));
}

/** `version` begins with the major version, as in `15.4 (Debian 15.4-1)`. */
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

/** Checks the clock of this machine against that of Postgres, which decides deadlines. */
export async function checkClock(database: Database): Promise<Finding> {
  const beforeMs = systemClock.nowMs();
  const { nowMs } = await inspectPostgres(database);
  const skewMs = Math.round(nowMs - (beforeMs + systemClock.nowMs()) / 2);
  const detail = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this machine`;
  return Math.abs(skewMs) <= MAX_SKEW_MS
    ? ok('Clock', `Postgres is ${detail}`)
    : warning(
        'Clock',
        `Postgres is ${detail}`,
        'Run NTP on both machines: webhook signatures contain the time.',
      );
}

/** Checks that the schema matches this release. */
export async function checkSchema(database: Database): Promise<Finding> {
  const { applied, pending, unknown } = await readSchemaState(database);
  if (pending > 0) return failed('Schema', `${pending} pending migrations`, 'Run `paywatch migrate`.');
  if (unknown > 0)
    return warning(
      'Schema',
      `${unknown} of ${applied} migrations are from another release`,
      'A newer release has migrated the database. Use the CLI and the services of that release.',
    );
  return ok('Schema', `up to date (${applied} migrations)`);
}
