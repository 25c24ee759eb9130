import { pause, withTimeout } from '@paywatch/runtime/process';
import DataLoader from 'dataloader';

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

/**
 * Returns a function that reads one key, and reads all keys of one event loop turn with one statement. It resolves to null if nothing
 * was found. A result is never older than the call, because the statement starts after it.
 */
export function batchReads<Key, Value>({
  nameOf,
  read,
  limit,
  pauseMs,
}: BatchedRead<Key, Value>): (key: Key) => Promise<Value | null> {
  let reading: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader<Key, Value | null, string>(
    async (keys) => {
      // Only keys of waiting batches share a result; a later call needs a newer one.
      loader.clearAll();
      const found = read(keys);
      reading = found;
      const values = await found;
      return keys.map((key) => values.get(nameOf(key)) ?? null);
    },
    {
      cacheKeyFn: nameOf,
      maxBatchSize: limit,
      batchScheduleFn: pauseMs === undefined ? setImmediate : oneAtATime(() => reading, pauseMs),
    },
  );
  return (key) => loader.load(key);
}

/** Starts a batch in the next turn of the event loop, or after the one before it and the pause. */
function oneAtATime(reading: () => Promise<unknown>, pauseMs: number): (start: () => void) => void {
  const waiting: (() => void)[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    for (let start = waiting.shift(); start !== undefined; start = waiting.shift()) {
      start();
      await pauseAfter(reading(), pauseMs);
    }
    isRunning = false;
  };
  return (start) => {
    waiting.push(start);
    if (isRunning) return;
    isRunning = true;
    setImmediate(() => void run());
  };
}

async function pauseAfter(read: Promise<unknown>, pauseMs: number): Promise<void> {
  const startedAtMs = performance.now();
  const settled = read.then(
    () => undefined,
    () => undefined,
  );
  await withTimeout(settled, MAX_WAIT_MS, () => undefined);
  await pause(Math.max(pauseMs, Math.min(performance.now() - startedAtMs, MAX_PAUSE_MS)));
}
