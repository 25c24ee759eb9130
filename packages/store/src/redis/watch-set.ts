import type { AnySql } from '../database.ts';
import { findLeasedScripts } from '../payments.ts';
import type { Store } from '../store.ts';
import { reconnectIfFrozen, RedisTimeoutError, type RedisClient } from './client.ts';
import { giveUpAfter } from './impatience.ts';

type Currency = 'BTC' | 'LTC';

/** How many members travel in one command. */
const CHUNK = 5000;
/** After this the answer of a Redis in trouble is not waited for: Postgres knows it all. */
const TIMEOUT_MS = 1000;

/**
 * Which of the scripts (lowercase hex) were ever leased. One Redis round trip answers for those leased lately; what it
 * does not know is looked up in Postgres in one statement. So a watch set that is empty or incomplete costs time, never
 * a payment.
 */
export async function findWatchedScripts(
  store: Store,
  sql: AnySql,
  currency: Currency,
  scripts: readonly string[],
): Promise<Set<string>> {
  const watched = await matchInRedis(store, currency, scripts);
  const unknown = scripts.filter((script) => !watched.has(script));
  for (const script of await findLeasedScripts(sql, currency, unknown)) watched.add(script);
  return watched;
}

async function matchInRedis(
  store: Store,
  currency: Currency,
  scripts: readonly string[],
): Promise<Set<string>> {
  if (scripts.length === 0 || store.redis.status !== 'ready') return new Set();
  try {
    const members = scripts.map((script) => Buffer.from(script, 'hex'));
    const found = await withTimeout(askInChunks(store.redis, store.keys.watchedScripts(currency), members));
    return new Set(scripts.filter((_, index) => found[index] === 1));
  } catch (error) {
    // Whatever Redis could not say, Postgres says; a frozen one is not waited for again and again.
    reconnectIfFrozen(store.redis, error);
    return new Set();
  }
}

async function askInChunks(redis: RedisClient, key: string, members: readonly Buffer[]): Promise<number[]> {
  const chunks: Promise<number[]>[] = [];
  for (let start = 0; start < members.length; start += CHUNK) {
    chunks.push(redis.smismember(key, ...members.slice(start, start + CHUNK)));
  }
  return (await Promise.all(chunks)).flat();
}

async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(new RedisTimeoutError('Redis did not answer in time'));
  const stop = giveUpAfter(TIMEOUT_MS, giveUp);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    stop();
  }
}

/** Whether the set was filled since Redis last lost its data. */
export async function isWatchSetReady(store: Store, currency: Currency): Promise<boolean> {
  return (await store.redis.exists(store.keys.watchReady(currency))) === 1;
}

/**
 * Fills the watch set with every script leased in the last 90 days, in chunks, and notes that it is complete.
 * Twice changes nothing; scripts leased meanwhile add themselves. Answers how many there were.
 */
export async function rebuildWatchSet(store: Store, currency: Currency): Promise<number> {
  let count = 0;
  for (let after = 0n; ;) {
    const rows = await readLeases(store.sql, currency, after);
    const last = rows.at(-1);
    if (!last) break;
    await store.redis.sadd(store.keys.watchedScripts(currency), ...rows.map((row) => row.script));
    count += rows.length;
    after = last.id;
  }
  await store.redis.set(store.keys.watchReady(currency), '1');
  return count;
}

function readLeases(
  sql: AnySql,
  currency: Currency,
  after: bigint,
): Promise<{ id: bigint; script: Buffer }[]> {
  return sql<{ id: bigint; script: Buffer }[]>`
    select id, script from address_leases
    where currency = ${currency} and id > ${after} and (released_at is null or released_at > now() - interval '90 days')
    order by id limit ${CHUNK}`;
}
