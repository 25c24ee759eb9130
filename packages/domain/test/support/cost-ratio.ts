const ROUNDS = 20;

/**
 * How many times as long as `baseline` takes `work` takes: the quickest of several rounds of each, in turn, so that a busy
 * machine slows both.
 */
export function costRatio(work: () => void, baseline: () => void): number {
  const quickest = { work: Infinity, baseline: Infinity };
  for (let round = 0; round < ROUNDS; round += 1) {
    quickest.baseline = Math.min(quickest.baseline, elapsedMs(baseline));
    quickest.work = Math.min(quickest.work, elapsedMs(work));
  }
  return quickest.work / quickest.baseline;
}

function elapsedMs(work: () => void): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}
