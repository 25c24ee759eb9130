import { isDatabaseUnavailable, type Sql } from './database.ts';
import postgres from 'postgres';

/** For reads that may be slightly outdated: runs `read` on a healthy replica, otherwise on the primary. */
export type ReadLists = <Result>(read: (from: { sql: Sql }) => Promise<Result>) => Promise<Result>;

/**
 * A replica that failed or lags is not used for `leftAloneMs`. Watchers write every second, so a replica whose last transaction
 * is older than `mostLagMs` lags or is disconnected.
 */
const PATIENCE = { leftAloneMs: 5000, mostLagMs: 10_000 };

/**
 * Reads lists and statistics from a replica to relieve the primary. Its lag is measured regularly. If it lags, is unavailable
 * or cancels a statement because of a replay conflict, the primary answers instead, a little later.
 */
export function createListReader(
  primary: Sql,
  replica: Sql | null,
  { leftAloneMs, mostLagMs } = PATIENCE,
): ReadLists {
  if (replica === null) return (read) => read({ sql: primary });
  let leftAloneUntilMs = 0;
  let lookAgainAtMs = 0;
  const leaveAlone = (): void => void (leftAloneUntilMs = performance.now() + leftAloneMs);
  const isGood = async (): Promise<boolean> => {
    const nowMs = performance.now();
    if (nowMs < leftAloneUntilMs) return false;
    if (nowMs < lookAgainAtMs) return true;
    lookAgainAtMs = nowMs + leftAloneMs;
    if ((await measureLagMs(replica)) <= mostLagMs) return true;
    leaveAlone();
    return false;
  };
  return async (read) => {
    try {
      if (await isGood()) return await read({ sql: replica });
    } catch (error) {
      if (!isReplicasOwnFault(error)) throw error;
      leaveAlone();
    }
    return read({ sql: primary });
  };
}

async function measureLagMs(replica: Sql): Promise<number> {
  const [row] = await replica<{ lagMs: number | null }[]>`
    select (extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8 as "lagMs"`;
  return row?.lagMs ?? Number.POSITIVE_INFINITY;
}

/**
 * 40001: "canceling statement due to conflict with recovery"; 57014: statement timeout; 42P01, 42501: a table is missing or the
 * role may not read it.
 */
const REPLICA_CODES = new Set(['40001', '57014', '42P01', '42501']);

function isReplicasOwnFault(error: unknown): boolean {
  return (
    isDatabaseUnavailable(error) || (error instanceof postgres.PostgresError && REPLICA_CODES.has(error.code))
  );
}
