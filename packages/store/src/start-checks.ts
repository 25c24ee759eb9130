import type { RedisClient } from './redis/client.ts';
import { assertSuitableRedis } from './redis/fitness.ts';
import { isRedisReady } from './redis/inspect.ts';
import { readSchemaState } from './schema-state.ts';
import type { Store } from './store.ts';

const REDIS_WITHIN_MS = 5000;

/**
 * Refuses to start a process whose servers are missing or unfit, with one line for each that names the variable. Only
 * at the start: a process that runs goes on as well as it can while a server is away.
 */
export async function assertServersFit(store: Store): Promise<void> {
  const outcomes = await Promise.allSettled([
    checkPostgres(store),
    checkRedis(store.redis, 'REDIS_URL'),
    ...(store.queueRedis === store.redis ? [] : [checkRedis(store.queueRedis, 'QUEUE_REDIS_URL')]),
  ]);
  const faults = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [messageOf(outcome.reason)] : [],
  );
  if (faults.length > 0) throw new Error(faults.join('\n'));
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

async function checkRedis(redis: RedisClient, variable: string): Promise<void> {
  if (!(await isRedisReady(redis, REDIS_WITHIN_MS))) throw new Error(`${variable}: Redis does not answer`);
  await assertSuitableRedis(redis, variable);
}

/** Behind a pool they come from the role: without them statements would run as long as they like, and read whole tables. */
async function assertSettings({ sql }: Store): Promise<void> {
  const [row] = await sql<{ isSet: boolean }[]>`
    select current_setting('enable_seqscan') = 'off' and current_setting('statement_timeout') <> '0' as "isSet"`;
  if (row?.isSet) return;
  throw new Error(
    'DATABASE_URL: the pool’s connections lack our settings; run: paywatch migrate, and RECONNECT in the pool',
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
