import type { ApiProblem, ApiResult } from './api-call.ts';

/** A new wallet gets its first addresses within seconds, and until then the API returns a short Retry-After. */
const MAX_RETRY_AFTER_SECONDS = 10;
const TIMEOUT_MS = 120_000;

/** `onWait` is called before each wait; aborting `signal` ends the wait and returns the last result. */
type Waiting = { readonly signal: AbortSignal; readonly onWait: () => void };

/**
 * Retries while the API returns 503 `address_pool_busy` with a short Retry-After, for two minutes at most. Nothing was
 * created then, so a retry cannot create a second invoice.
 */
export async function retryWhilePoolBusy<Value>(
  call: () => Promise<ApiResult<Value>>,
  { signal, onWait }: Waiting,
): Promise<ApiResult<Value>> {
  const startedMs = Date.now();
  for (;;) {
    const result = await call();
    const delayMs = result.ok ? null : retryDelayMs(result.problem, Date.now() - startedMs);
    if (delayMs === null || signal.aborted) return result;
    onWait();
    await pause(delayMs * (1 + Math.random() / 5), signal);
    if (signal.aborted) return result;
  }
}

/** The delay before the next try; null for another error, a long Retry-After, or after the timeout. */
function retryDelayMs({ code, retryAfterSeconds }: ApiProblem, waitedMs: number): number | null {
  if (code !== 'address_pool_busy' || retryAfterSeconds === null) return null;
  if (retryAfterSeconds > MAX_RETRY_AFTER_SECONDS || waitedMs > TIMEOUT_MS) return null;
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
