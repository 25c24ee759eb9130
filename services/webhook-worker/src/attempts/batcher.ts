import { paced } from './paced.ts';

/**
 * Gathers calls into batches: a call waits only while `maxRunning` batches are under way, or until `stepMs` after the last
 * one began, so that batches grow with the load and an idle process answers at once. `run` returns one result for each item, in order; when it throws what may be the
 * fault of an item, each item of a larger batch is run alone, so that a bad one fails by itself.
 */
export function createBatcher<Item, Result>(
  run: Run<Item, Result>,
  options: { maxSize: number; maxRunning: number; stepMs: number; isItemsFault: (error: unknown) => boolean },
): (item: Item) => Promise<Result> {
  const waiting: Call<Item, Result>[] = [];
  let running = 0;
  const start = (): void => {
    while (running < options.maxRunning && waiting.length > 0) {
      running += 1;
      void settle(run, options.isItemsFault, waiting.splice(0, options.maxSize)).finally(() => {
        running -= 1;
        startPaced();
      });
    }
  };
  const startPaced = paced(start, options.stepMs);
  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, resolve, reject });
    // Calls made in the same turn of the event loop belong to one batch.
    if (waiting.length === 1) setImmediate(startPaced);
    return promise;
  };
}

type Run<Item, Result> = (items: Item[]) => Promise<Result[]>;

type Call<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** Never rejects: every call hears of its own end. */
async function settle<Item, Result>(
  run: Run<Item, Result>,
  isItemsFault: (error: unknown) => boolean,
  calls: Call<Item, Result>[],
): Promise<void> {
  try {
    const results = await run(calls.map((call) => call.item));
    if (results.length !== calls.length) throw new RangeError('a batch returned too few or too many results');
    for (const [position, result] of results.entries()) calls[position]?.resolve(result);
  } catch (error) {
    if (calls.length > 1 && isItemsFault(error))
      await Promise.all(calls.map((call) => settle(run, isItemsFault, [call])));
    else for (const call of calls) call.reject(error);
  }
}
