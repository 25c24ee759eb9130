/**
 * Fetches something for each item, at most `atOnce` at a time; results are in the order of the items. After the first failure
 * no fetch starts, and that failure is thrown once the running ones have ended.
 */
export async function fetchEach<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  fetchOne: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (const [index, item] of left) {
      if (hasFailed) return;
      results[index] = await fetchOne(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, work));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
  return results;
}
