import { pause, withTimeout } from '@paywatch/runtime/process';

/** How reads are batched. */
export type BatchedRead<Key, Value> = {
  /** Identifies a key: keys with the same name are read once. */
  nameOf: (key: Key) => string;
  /** Reads many keys with one statement; returns what was found, by name. */
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Value>>;
  /** Largest batch. More keys would make one slow statement out of many fast ones. */
  limit: number;
  /**
   * Runs one statement at a time with a pause after each: this many milliseconds, or as long as the statement took, at most 50. Keys
   * requested meanwhile share the next statement, so that thousands of requests cost few statements. A statement that hangs is not
   * waited for. If absent, each turn of the event loop starts a statement.
   */
  pauseMs?: number;
};

const MAX_PAUSE_MS = 50;
const MAX_WAIT_MS = 1000;

type Waiting<Key, Value> = { key: Key; result: PromiseWithResolvers<Value | null> };
/** The keys of one statement, by name. */
type Batch<Key, Value> = Map<string, Waiting<Key, Value>>;

/**
 * Returns a function that reads one key, and reads all keys of one event loop turn with one statement. It resolves to null if nothing
 * was found. A result is never older than the call, because the statement starts after it.
 */
export function batchReads<Key, Value>(
  batched: BatchedRead<Key, Value>,
): (key: Key) => Promise<Value | null> {
  const { limit, pauseMs } = batched;
  /** Every batch is a new Map: one that is reused keeps its grown table, which makes the results it held expensive to collect. */
  const batches: Batch<Key, Value>[] = [];
  let isPaused = false;
  const resume = (): void => {
    isPaused = false;
    flush();
  };
  const flush = (): void => {
    while (!isPaused) {
      const batch = batches.shift();
      if (batch === undefined) return;
      const read = readBatch(batched, batch);
      if (pauseMs === undefined) continue;
      isPaused = true;
      void pauseAfter(read, pauseMs).then(resume);
    }
  };
  const add = (name: string, key: Key): Waiting<Key, Value> => {
    if (batches.length === 0) setImmediate(flush);
    const waiting = { key, result: Promise.withResolvers<Value | null>() };
    const last = batches.at(-1);
    if (last !== undefined && last.size < limit) last.set(name, waiting);
    else batches.push(new Map([[name, waiting]]));
    return waiting;
  };
  return (key) => {
    const name = batched.nameOf(key);
    const known = batches.find((batch) => batch.has(name))?.get(name);
    return (known ?? add(name, key)).result.promise;
  };
}

async function pauseAfter(read: Promise<void>, pauseMs: number): Promise<void> {
  const startedAtMs = performance.now();
  await withTimeout(read, MAX_WAIT_MS, () => undefined);
  await pause(Math.max(pauseMs, Math.min(performance.now() - startedAtMs, MAX_PAUSE_MS)));
}

/** Settles all promises of the batch. Never rejects. */
async function readBatch<Key, Value>(
  { read }: BatchedRead<Key, Value>,
  batch: Batch<Key, Value>,
): Promise<void> {
  try {
    const found = await read([...batch.values()].map(({ key }) => key));
    for (const [name, { result }] of batch) result.resolve(found.get(name) ?? null);
  } catch (error) {
    for (const { result } of batch.values()) result.reject(error);
  }
}
