import { throttle } from './throttle.ts';

export type BatcherOptions = {
  maxSize: number;
  maxRunning: number;
  /** Least time between the starts of two batches. */
  intervalMs: number;
  /** Whether one item may have caused the error. The items of such a batch are then run one by one. */
  mayBeItemError: (error: unknown) => boolean;
};

/**
 * Gathers calls into batches. A call waits while `maxRunning` batches run, or for the rest of the interval: batches grow with the
 * load, and an idle process runs a call at once. `run` returns one result per item, in order.
 */
export function createBatcher<Item, Result>(
  run: Run<Item, Result>,
  options: BatcherOptions,
): (item: Item) => Promise<Result> {
  const waiting: Call<Item, Result>[] = [];
  let running = 0;
  const startBatches = (): void => {
    while (running < options.maxRunning && waiting.length > 0) {
      running += 1;
      void settle(run, options.mayBeItemError, waiting.splice(0, options.maxSize)).finally(() => {
        running -= 1;
        startThrottled();
      });
    }
  };
  const startThrottled = throttle(startBatches, options.intervalMs);
  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, resolve, reject });
    // Calls made in one turn of the event loop share a batch.
    if (waiting.length === 1) setImmediate(startThrottled);
    return promise;
  };
}

type Run<Item, Result> = (items: Item[]) => Promise<Result[]>;

type Call<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** Runs one batch and settles its calls. Never rejects. */
async function settle<Item, Result>(
  run: Run<Item, Result>,
  mayBeItemError: (error: unknown) => boolean,
  calls: Call<Item, Result>[],
): Promise<void> {
  try {
    const results = await run(calls.map((call) => call.item));
    if (results.length !== calls.length)
      throw new RangeError(`batch returned ${results.length} results for ${calls.length} items`);
    for (const [position, result] of results.entries()) calls[position]?.resolve(result);
  } catch (error) {
    if (calls.length > 1 && mayBeItemError(error))
      await Promise.all(calls.map((call) => settle(run, mayBeItemError, [call])));
    else for (const call of calls) call.reject(error);
  }
}
