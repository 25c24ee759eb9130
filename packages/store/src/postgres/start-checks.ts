import type { Logger } from '@paywatch/runtime/observability';
import { monitorRedis, type RedisHealth, type RedisMonitor } from '../redis/redis-monitor.ts';
import { readSchemaState } from './schema-state.ts';
import type { Store } from '../store.ts';

/** How long a start waits for Redis before it continues without it. */
const REDIS_WITHIN_MS = 5000;

/** The state of the servers that this process can work without. */
export type ServerWatch = {
  /** Why this process works without a server, by the variable that names the server. Empty if nothing is missing. */
  degradations(): Record<string, string>;
  /** Whether the queues can be used. */
  isQueueServing(): boolean;
  stop(): void;
};

/**
 * Checks the servers at the start of a process, then monitors Redis. Throws one line for each fault, with the variable's name,
 * if Postgres is unavailable or a Redis responds but is incompatible. If Redis does not respond, the process starts degraded. A
 * running process never ends because of Redis: it logs what is wrong.
 */
export async function checkServers(store: Store, logger: Logger): Promise<ServerWatch> {
  const monitors = monitorServers(store, logger);
  const [postgresFault] = await Promise.all([
    findPostgresFault(store),
    ...monitors.map(({ whenJudged }) => whenJudged(REDIS_WITHIN_MS)),
  ]);
  const faults = findStartFaults(
    postgresFault,
    monitors.map(({ variable, health }) => ({ variable, health: health() })),
  );
  if (faults.length > 0) {
    for (const monitor of monitors) monitor.stop();
    throw new Error(faults.join('\n'));
  }
  for (const { variable, health } of monitors) logStart(logger, variable, health());
  return watchOf(monitors);
}

/**
 * Why a process must not start, one line for each fault. An unresponsive Redis is listed only if Postgres is unavailable, too.
 */
export function findStartFaults(
  postgresFault: string | null,
  servers: readonly { variable: string; health: RedisHealth }[],
): string[] {
  const incompatible = servers.flatMap(({ health }) =>
    health.kind === 'incompatible' ? [health.reason] : [],
  );
  if (postgresFault === null) return incompatible;
  const unavailable = servers.flatMap(({ variable, health }) =>
    health.kind === 'unavailable' ? [`${variable}: Redis does not answer`] : [],
  );
  return [postgresFault, ...incompatible, ...unavailable];
}

function monitorServers(store: Store, logger: Logger): RedisMonitor[] {
  const monitor = (redis: Store['redis'], variable: string) =>
    monitorRedis(redis, variable, (health) => logChange(logger, variable, health));
  const redis = monitor(store.redis, 'REDIS_URL');
  return store.queueRedis === store.redis ? [redis] : [redis, monitor(store.queueRedis, 'QUEUE_REDIS_URL')];
}

function watchOf(monitors: readonly RedisMonitor[]): ServerWatch {
  return {
    degradations: () =>
      Object.fromEntries(
        monitors.flatMap(({ variable, health }) => {
          const now = health();
          return now.kind === 'serving' ? [] : [[variable, `${now.kind}: ${now.reason}`]];
        }),
      ),
    // The Redis of the queues is the last one.
    isQueueServing: () => monitors.at(-1)?.health().kind === 'serving',
    stop: () => {
      for (const monitor of monitors) monitor.stop();
    },
  };
}

function logStart(logger: Logger, variable: string, health: RedisHealth): void {
  if (health.kind === 'serving') return;
  logger.warn({ server: variable, reason: health.reason }, 'Redis unavailable; starting degraded');
}

function logChange(logger: Logger, variable: string, health: RedisHealth): void {
  const server = variable;
  if (health.kind === 'serving') logger.info({ server }, 'Redis is serving');
  else if (health.kind === 'unavailable')
    logger.warn({ server, reason: health.reason }, 'Redis unavailable; running degraded');
  else logger.error({ server, reason: health.reason }, 'Redis is incompatible; no process can start with it');
}

async function findPostgresFault(store: Store): Promise<string | null> {
  try {
    await checkPostgres(store);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

async function checkPostgres(store: Store): Promise<void> {
  await store.ping().catch((error: unknown) => {
    throw new Error(`DATABASE_URL: Postgres does not answer (${messageOf(error)})`);
  });
  await assertSettings(store);
  const { pending } = await readSchemaState(store);
  if (pending > 0)
    throw new Error(`DATABASE_URL: the schema lacks ${pending} migrations; run: paywatch migrate`);
}

/** Behind a pooler the settings come from the role. Without them statements would have no timeout and could scan whole tables. */
async function assertSettings({ sql }: Store): Promise<void> {
  const [row] = await sql<{ isSet: boolean }[]>`
    select current_setting('enable_seqscan') = 'off' and current_setting('statement_timeout') <> '0' as "isSet"`;
  if (row?.isSet) return;
  throw new Error(
    'DATABASE_URL: connections from the pooler lack the session settings; run: paywatch migrate, then RECONNECT in the pooler',
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
