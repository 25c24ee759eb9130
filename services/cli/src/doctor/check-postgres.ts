import { systemClock } from '@paywatch/runtime/process';
import { inspectPostgres, readSchemaState, type Database } from '@paywatch/store/postgres';
import { failed, ok, warning, type Finding } from './finding.ts';

/** Receivers of webhooks refuse a `t` that is five minutes off; this is seen long before. */
const MAX_SKEW_MS = 5000;
/** Older ones lack what the schema is built with. */
const OLDEST_MAJOR = 14;

/** Throws where Postgres does not answer. */
export async function checkPostgres(database: Database): Promise<Finding> {
  const { version, isReadOnly } = await inspectPostgres(database);
  if (isReadOnly)
    return failed(
      'Postgres',
      `${version} takes no writes`,
      'DATABASE_URL must name the primary, not a standby.',
    );
  if (Number.parseInt(version, 10) < OLDEST_MAJOR)
    return warning(
      'Postgres',
      version,
      `Nobody tests Paywatch with a Postgres before ${OLDEST_MAJOR}: upgrade it.`,
    );
  return ok('Postgres', version);
}

/** Whether this machine's clock agrees with that of Postgres, by which everything is judged. */
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
        'Run a time service (NTP) on both machines: webhooks carry the time.',
      );
}

/** Whether the schema is that of this release. */
export async function checkSchema(database: Database): Promise<Finding> {
  const { applied, pending, unknown } = await readSchemaState(database);
  if (pending > 0) return failed('Schema', `migrations to apply: ${pending}`, 'Run `paywatch migrate`.');
  if (unknown > 0)
    return warning(
      'Schema',
      `migrations of another release: ${unknown} of ${applied}`,
      'A newer release migrated the database: run the command line and the services of that release.',
    );
  return ok('Schema', `up to date (migrations applied: ${applied})`);
}
