/** A way to read many things at once: what was found, by the name of its key. */
export type BatchedRead<Key, Value> = {
  /** Two keys of one name are read once. */
  nameOf: (key: Key) => string;
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Value>>;
  /** More keys would make one slow statement of many fast ones. */
  limit: number;
};

type Waiting<Key, Value> = { key: Key; waits: PromiseWithResolvers<Value | null> };

/**
 * A reader that puts all reads of one turn of the event loop into one statement, so that a crowd at one page or after one
 * reconnect costs hardly more than one reader. What it answers, null where nothing was found, is never older than the call:
 * the statement begins after it.
 */
export function batchReads<Key, Value>(
  batched: BatchedRead<Key, Value>,
): (key: Key) => Promise<Value | null> {
  let waiting = new Map<string, Waiting<Key, Value>>();
  const flush = (): void => {
    const batch = waiting;
    waiting = new Map();
    readBatch(batched, batch).catch((error: unknown) => {
      for (const { waits } of batch.values()) waits.reject(error);
    });
  };
  return (key) => {
    if (waiting.size >= batched.limit) flush();
    if (waiting.size === 0) setImmediate(flush);
    const name = batched.nameOf(key);
    const known = waiting.get(name) ?? { key, waits: Promise.withResolvers<Value | null>() };
    waiting.set(name, known);
    return known.waits.promise;
  };
}

async function readBatch<Key, Value>(
  { read }: BatchedRead<Key, Value>,
  batch: ReadonlyMap<string, Waiting<Key, Value>>,
): Promise<void> {
  if (batch.size === 0) return;
  const found = await read([...batch.values()].map(({ key }) => key));
  for (const [name, { waits }] of batch) waits.resolve(found.get(name) ?? null);
}
