/**
 * Returns a function that runs `work` at most once per `intervalMs`. The first call runs it at once. Calls during the interval share
 * one run at its end.
 */
export function throttle(work: () => void, intervalMs: number): () => void {
  let nextAtMs = 0;
  let isScheduled = false;
  const run = (): void => {
    isScheduled = false;
    nextAtMs = performance.now() + intervalMs;
    work();
  };
  return () => {
    if (isScheduled) return;
    const waitMs = nextAtMs - performance.now();
    if (waitMs <= 0) return run();
    isScheduled = true;
    setTimeout(run, waitMs);
  };
}
