import { pause } from '@paywatch/runtime';

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

/**
 * A reader that puts all reads of one turn of the event loop into one statement, so that a crowd at one page or after one
 * reconnect costs hardly more than one reader. What it answers, null where nothing was found, is never older than the call:
 * the statement begins after it.
 */
export function batchReads<Key, Value>(
  batched: BatchedRead<Key, Value>,
): (key: Key) => Promise<Value | null> {
  const { limit, restMs } = batched;
  // Never one Map for all time: the tables that it outgrows would keep what was read from being collected while it is young.
  let waiting = new Map<string, Waiting<Key, Value>>();
  let isResting = false;
  const wake = (): void => {
    isResting = false;
    flush();
  };
  const flush = (): void => {
    while (waiting.size > 0 && !isResting) {
      const [batch, rest] = splitAt(waiting, limit);
      waiting = rest;
      const read = readBatch(batched, batch);
      if (restMs === undefined) continue;
      isResting = true;
      void restAfter(read, restMs).then(wake);
    }
  };
  return (key) => {
    if (waiting.size === 0) setImmediate(flush);
    const name = batched.nameOf(key);
    const known = waiting.get(name) ?? { key, waits: Promise.withResolvers<Value | null>() };
    waiting.set(name, known);
    return known.waits.promise;
  };
}

/** The first so many, and the others, each in a Map of its own. */
function splitAt<Item>(items: Map<string, Item>, count: number): [Map<string, Item>, Map<string, Item>] {
  if (items.size <= count) return [items, new Map()];
  const entries = [...items];
  return [new Map(entries.slice(0, count)), new Map(entries.slice(count))];
}

async function restAfter(read: Promise<void>, restMs: number): Promise<void> {
  const begunMs = performance.now();
  const done = new AbortController();
  await Promise.race([read, pause(LONGEST_WAIT_MS, done.signal)]);
  done.abort();
  await pause(Math.max(restMs, Math.min(performance.now() - begunMs, LONGEST_REST_MS)));
}

/** Tells whoever waits what was found, or why it was not; never throws. */
async function readBatch<Key, Value>(
  { read }: BatchedRead<Key, Value>,
  batch: ReadonlyMap<string, Waiting<Key, Value>>,
): Promise<void> {
  try {
    const found = await read([...batch.values()].map(({ key }) => key));
    for (const [name, { waits }] of batch) waits.resolve(found.get(name) ?? null);
  } catch (error) {
    for (const { waits } of batch.values()) waits.reject(error);
  }
}
