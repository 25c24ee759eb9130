import { judgeClock, judgePostgres, judgeSchema, type Finding } from '@paywatch/domain/deployment';
import { systemClock } from '@paywatch/runtime/process';
import { inspectPostgres, readSchemaState, type Database } from '@paywatch/store/postgres';

/** Checks version and write access. Throws if Postgres does not respond. */
export async function checkPostgres(database: Database): Promise<Finding> {
  return judgePostgres(await inspectPostgres(database));
}

/** Checks the clock of this machine against that of Postgres, which decides deadlines. */
export async function checkClock(database: Database): Promise<Finding> {
  const beforeMs = systemClock.nowMs();
  const { nowMs } = await inspectPostgres(database);
  return judgeClock(nowMs - (beforeMs + systemClock.nowMs()) / 2);
}

/** Checks that the schema matches this release. */
export async function checkSchema(database: Database): Promise<Finding> {
  return judgeSchema(await readSchemaState(database));
}
