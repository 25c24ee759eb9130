import { classesFor, classOf, type AddressClass, type Lessee } from '@paywatch/domain/pools';
import type { Store } from '../store.ts';
import { reconnectIfFrozen } from './client.ts';
import { loadScript } from './scripts.ts';

type RedisStore = Pick<Store, 'redis' | 'keys'>;

const ADDRESS_CLASSES: readonly AddressClass[] = ['orders', 'any', 'guests'];

/** Indexes to try first, best first, and whether the pool's hints run low. */
type LeaseHints = { indexes: number[]; wantsRefill: boolean };

/** Below this number of hints a refill is requested; it adds `HINTS_PER_CLASS` of each class if the pool has them. */
const LOW_HINTS = 200;
export const HINTS_PER_CLASS = 1000;
/** One refill serves all requests within this time. */
const REFILL_ASKED_MS = 1000;

const leaseHints = loadScript('lease-hints');

/**
 * Takes the next indexes that Redis lists as free, best class first. No two callers get the same index, so they do not compete
 * for rows in Postgres. These are only hints: Redis may be empty, stale or unavailable (then there are none).
 */
export async function takeLeaseHints(
  store: RedisStore,
  poolId: bigint,
  lessee: Lessee,
  count: number,
): Promise<LeaseHints> {
  const sets = classesFor(lessee).map((addressClass) => store.keys.freeAddresses(poolId, addressClass));
  const keys = [store.keys.refillAsked(poolId), ...sets];
  const args = [count, LOW_HINTS, REFILL_ASKED_MS].map(String);
  const reply = await attempt(store, () => leaseHints(store.redis, keys, args));
  const [wantsRefill, ...indexes]: unknown[] = Array.isArray(reply) ? reply : [];
  return { indexes: indexes.filter(isIndex), wantsRefill: wantsRefill === 1 };
}

/** Highest index of a non-hardened derivation, which is also the largest Postgres `int`. */
const MAX_INDEX = 2 ** 31 - 1;

/**
 * Anyone with write access to Redis can store any number; one outside the range of `int` would fail the statement that creates
 * an invoice.
 */
function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_INDEX;
}

/** Removes the hint of an index that was leased without a hint, so that nobody tries it again. */
export async function dropLeasedHint(store: RedisStore, poolId: bigint, index: number): Promise<void> {
  const hints = store.keys.freeAddresses(poolId, classOf(index));
  await attempt(store, () => store.redis.zrem(hints, String(index)));
}

/** Removes the hints of a deleted pool. Without Redis they stay: a few bytes that nobody reads again. */
export async function dropLeaseHints(store: RedisStore, poolId: bigint): Promise<void> {
  // One key at a time: in a cluster each may be on another node.
  for (const addressClass of ADDRESS_CLASSES)
    await attempt(store, () => store.redis.del(store.keys.freeAddresses(poolId, addressClass)));
}

/** Adds hints of one class. Hints of leased addresses do no harm: Postgres refuses the lease and the hint is gone. */
export async function addLeaseHints(
  store: RedisStore,
  poolId: bigint,
  addressClass: AddressClass,
  indexes: readonly number[],
): Promise<void> {
  if (indexes.length === 0) return;
  const members = indexes.flatMap((index) => [index, String(index)]);
  await store.redis.zadd(store.keys.freeAddresses(poolId, addressClass), ...members);
}

/** Undefined if Redis did not respond: every caller falls back to Postgres. */
async function attempt<T>({ redis }: RedisStore, command: () => Promise<T>): Promise<T | undefined> {
  if (redis.status !== 'ready') return undefined;
  try {
    return await command();
  } catch (error) {
    reconnectIfFrozen(redis, error);
    return undefined;
  }
}
