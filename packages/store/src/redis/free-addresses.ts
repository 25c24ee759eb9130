import { classesFor, classOf, type AddressClass, type Currency, type Lessee } from '@paywatch/domain';
import type { Store } from '../store.ts';
import { reconnectIfFrozen } from './client.ts';
import { loadScript } from './scripts.ts';

type RedisStore = Pick<Store, 'redis' | 'keys'>;

/** Which indexes to try first, best first, and whether the pool's hints run low. */
type LeaseHints = { indexes: number[]; wantsRefill: boolean };

/** A lease that Postgres has granted, and which index Redis had named for it. */
export type NewLease = {
  currency: Currency;
  script: Uint8Array;
  poolId: bigint;
  index: number;
  hintedIndex: number | null;
};

/** Below this many hints a refill is asked for; it gives `HINTS_PER_CLASS` of each class where the pool has them. */
const LOW_HINTS = 200;
export const HINTS_PER_CLASS = 1000;
/** One refill answers every request for one within this time. */
const REFILL_ASKED_MS = 1000;

const leaseHints = loadScript('lease-hints');

/**
 * Takes the next indexes that Redis believes to be free, best class first. No two callers get the same one, so that
 * Postgres need not sort out who takes which row. Only hints: Redis may be empty, stale or away (then: none).
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
  return { indexes: indexes.filter((index) => typeof index === 'number'), wantsRefill: wantsRefill === 1 };
}

/**
 * Tells Redis of leases that Postgres has granted: their scripts are watched from now on, and where another index was leased
 * than the hinted one, its hint goes. All of it leaves in one write.
 */
export async function noteLeases(store: RedisStore, leases: readonly NewLease[]): Promise<void> {
  const unhinted = leases.filter(({ index, hintedIndex }) => index !== hintedIndex);
  const dropped = unhinted.map(({ poolId, index }) => dropSharedHint(store, poolId, index));
  await Promise.all([watchScripts(store, leases), ...dropped]);
}

type LeasedScript = Pick<NewLease, 'currency' | 'script'>;

/** Redis away: the watcher asks Postgres instead. */
export async function watchScripts(store: RedisStore, leases: readonly LeasedScript[]): Promise<void> {
  const { redis, keys } = store;
  const added = [...Map.groupBy(leases, ({ currency }) => currency)].map(([currency, ofCurrency]) =>
    attempt(store, () =>
      redis.sadd(keys.watchedScripts(currency), ...ofCurrency.map(({ script }) => Buffer.from(script))),
    ),
  );
  await Promise.all(added);
}

async function dropSharedHint(store: RedisStore, poolId: bigint, index: number): Promise<void> {
  const hints = store.keys.freeAddresses(poolId, classOf(index));
  await attempt(store, () => store.redis.zrem(hints, String(index)));
}

/** What is leased within so many milliseconds is told at once. */
const NOTE_MS = 25;

/**
 * Notes leases a moment later, many in one command: nobody waits for what only saves a watcher a look into Postgres. What a
 * process has not told before it ends stays untold.
 */
export function leaseNotes(store: RedisStore): (lease: NewLease) => void {
  let waiting: NewLease[] = [];
  const flush = (): void => {
    void noteLeases(store, waiting);
    waiting = [];
  };
  return (lease) => {
    if (waiting.push(lease) === 1) setTimeout(flush, NOTE_MS).unref();
  };
}

/** Adds hints of one class. Adding what was leased meanwhile does no harm: Postgres refuses it and it is gone. */
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

/** Undefined where Redis could not be asked: every caller here has Postgres behind it. */
async function attempt<T>({ redis }: RedisStore, command: () => Promise<T>): Promise<T | undefined> {
  if (redis.status !== 'ready') return undefined;
  try {
    return await command();
  } catch (error) {
    reconnectIfFrozen(redis, error);
    return undefined;
  }
}
