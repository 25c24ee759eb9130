import type { ApiProblem, ApiResult } from './api-call.ts';

/** A wallet that was just verified has its first addresses within seconds, at the latest when its history was read. */
const SOON_SECONDS = 10;
const PATIENCE_MS = 120_000;

/** Who waits: `onWait` hears when it begins, and `signal` ends it, with the answer that came last. */
type Waiting = { readonly signal: AbortSignal; readonly onWait: () => void };

/**
 * Calls again as long as the API says that an address is free soon, by its Retry-After and for two minutes at most.
 * Such an answer means that nothing was created, so that calling again cannot create twice.
 */
export async function retryWhilePoolBusy<Value>(
  call: () => Promise<ApiResult<Value>>,
  { signal, onWait }: Waiting,
): Promise<ApiResult<Value>> {
  const begunMs = Date.now();
  for (;;) {
    const result = await call();
    const delayMs = result.ok ? null : delayBeforeRetry(result.problem, Date.now() - begunMs);
    if (delayMs === null || signal.aborted) return result;
    onWait();
    await pause(delayMs * (1 + Math.random() / 5), signal);
    if (signal.aborted) return result;
  }
}

/** Null where waiting here would not help: what was wrong is something else, or it takes longer than people wait. */
function delayBeforeRetry({ code, retryAfterSeconds }: ApiProblem, waitedMs: number): number | null {
  if (code !== 'address_pool_busy' || retryAfterSeconds === null) return null;
  if (retryAfterSeconds > SOON_SECONDS || waitedMs > PATIENCE_MS) return null;
  return Math.max(1, retryAfterSeconds) * 1000;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}
