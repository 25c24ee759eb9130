import { isDatabaseUnavailable, type Sql } from './database.ts';
import postgres from 'postgres';

/** For reads that may be slightly outdated: runs `read` on a healthy replica, otherwise on the primary. */
export type ReadLists = <Result>(read: (from: { sql: Sql }) => Promise<Result>) => Promise<Result>;

/**
 * A replica that failed or lags is not used for `coolDownMs`. Watchers write every second, so a replica whose last transaction
 * is older than `maxLagMs` lags or is disconnected.
 */
const DEFAULTS = { coolDownMs: 5000, maxLagMs: 10_000 };

/**
 * Reads lists and statistics from a replica to relieve the primary. Its lag is measured regularly. If it lags, is unavailable
 * or cancels a statement because of a replay conflict, the primary runs it instead, a little later.
 */
export function createListReader(
  primary: Sql,
  replica: Sql | null,
  { coolDownMs, maxLagMs } = DEFAULTS,
): ReadLists {
  if (replica === null) return (read) => read({ sql: primary });
  let unusedUntilMs = 0;
  let checkAgainAtMs = 0;
  const coolDown = (): void => void (unusedUntilMs = performance.now() + coolDownMs);
  const isUsable = async (): Promise<boolean> => {
    const nowMs = performance.now();
    if (nowMs < unusedUntilMs) return false;
    if (nowMs < checkAgainAtMs) return true;
    checkAgainAtMs = nowMs + coolDownMs;
    if ((await measureLagMs(replica)) <= maxLagMs) return true;
    coolDown();
    return false;
  };
  return async (read) => {
    try {
      if (await isUsable()) return await read({ sql: replica });
    } catch (error) {
      if (!isReplicaFault(error)) throw error;
      coolDown();
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
 * role may not read it; 28P01, 28000: the replica refuses the login, as it may until a new password has reached it.
 */
const REPLICA_CODES = new Set(['40001', '57014', '42P01', '42501', '28P01', '28000']);

function isReplicaFault(error: unknown): boolean {
  return (
    isDatabaseUnavailable(error) || (error instanceof postgres.PostgresError && REPLICA_CODES.has(error.code))
  );
}
