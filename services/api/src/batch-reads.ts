import { pause, withTimeout } from '@paywatch/runtime/process';

/** A way to read many things at once: what was found, by the name of its key. */
export type BatchedRead<Key, Value> = {
  /** Two keys of one name are read once. */
  nameOf: (key: Key) => string;
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Value>>;
  /** More keys would make one slow statement of many fast ones. */
  limit: number;
  /**
   * One statement at a time; after each a rest of so many milliseconds, or of as many as it took where that is more, up to 50.
   * What is asked for meanwhile shares the next one. So a crowd costs few statements however fast it comes, and leaves others
   * their time; one that hangs with its connection is not waited for. Absent: any number at once, one in each turn.
   */
  restMs?: number;
};

/** However slow Postgres is. */
const LONGEST_REST_MS = 50;
const LONGEST_WAIT_MS = 1000;

type Waiting<Key, Value> = { key: Key; waits: PromiseWithResolvers<Value | null> };
/** What one statement reads, by name. */
type Batch<Key, Value> = Map<string, Waiting<Key, Value>>;

/**
 * A reader that puts all reads of one turn of the event loop into one statement, so that a crowd at one page or after one
 * reconnect costs hardly more than one reader. What it answers, null where nothing was found, is never older than the call:
 * the statement begins after it.
 */
export function batchReads<Key, Value>(
  batched: BatchedRead<Key, Value>,
): (key: Key) => Promise<Value | null> {
  const { limit, restMs } = batched;
  /**
   * What waits, the first batch for the next statement. Each is a Map of its own and never one for all time: the tables that it
   * outgrows would keep what was read from being collected while it is young.
   */
  const batches: Batch<Key, Value>[] = [];
  let isResting = false;
  const wake = (): void => {
    isResting = false;
    flush();
  };
  const flush = (): void => {
    while (!isResting) {
      const batch = batches.shift();
      if (batch === undefined) return;
      const read = readBatch(batched, batch);
      if (restMs === undefined) continue;
      isResting = true;
      void restAfter(read, restMs).then(wake);
    }
  };
  const add = (name: string, key: Key): Waiting<Key, Value> => {
    if (batches.length === 0) setImmediate(flush);
    const waiting = { key, waits: Promise.withResolvers<Value | null>() };
    const last = batches.at(-1);
    if (last !== undefined && last.size < limit) last.set(name, waiting);
    else batches.push(new Map([[name, waiting]]));
    return waiting;
  };
  return (key) => {
    const name = batched.nameOf(key);
    const known = batches.find((batch) => batch.has(name))?.get(name);
    return (known ?? add(name, key)).waits.promise;
  };
}

async function restAfter(read: Promise<void>, restMs: number): Promise<void> {
  const begunMs = performance.now();
  await withTimeout(read, LONGEST_WAIT_MS, () => undefined);
  await pause(Math.max(restMs, Math.min(performance.now() - begunMs, LONGEST_REST_MS)));
}

/** Tells whoever waits what was found, or why it was not; never throws. */
async function readBatch<Key, Value>(
  { read }: BatchedRead<Key, Value>,
  batch: Batch<Key, Value>,
): Promise<void> {
  try {
    const found = await read([...batch.values()].map(({ key }) => key));
    for (const [name, { waits }] of batch) waits.resolve(found.get(name) ?? null);
  } catch (error) {
    for (const { waits } of batch.values()) waits.reject(error);
  }
}
