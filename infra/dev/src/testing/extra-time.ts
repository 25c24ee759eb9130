/**
 * What `work` takes beyond `baseline`, in milliseconds: both run in turn, and the median of the differences counts. A busy machine slows
 * both, and a process that is stopped now and then spoils a round and not the median.
 */
export async function medianExtraMs(
  work: () => Promise<unknown>,
  baseline: () => Promise<unknown>,
  rounds = 9,
): Promise<number> {
  const extraMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) extraMs.push((await timed(work)) - (await timed(baseline)));
  return extraMs.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
