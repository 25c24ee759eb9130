/**
 * Makes a function that runs `work`: at once where it has not run for `stepMs`, else when that time is over, and then once,
 * however often it was asked. So what is asked for under load is gathered, and an idle process answers at once.
 */
export function paced(work: () => void, stepMs: number): () => void {
  let nextAtMs = 0;
  let isPlanned = false;
  const run = (): void => {
    isPlanned = false;
    nextAtMs = performance.now() + stepMs;
    work();
  };
  return () => {
    if (isPlanned) return;
    const waitMs = nextAtMs - performance.now();
    if (waitMs <= 0) return run();
    isPlanned = true;
    setTimeout(run, waitMs);
  };
}
