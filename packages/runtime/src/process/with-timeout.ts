/**
 * Settles as `work` does. After `timeoutMs` it returns the result of `onTimeout` instead, or throws what `onTimeout` throws. `work` is
 * not cancelled; if it rejects later, the rejection is ignored.
 */
export async function withTimeout<Result, Fallback>(
  work: Promise<Result>,
  timeoutMs: number,
  onTimeout: () => Fallback,
): Promise<Result | Fallback> {
  const timeout = Promise.withResolvers<Fallback>();
  const timer = setTimeout(() => {
    try {
      timeout.resolve(onTimeout());
    } catch (error) {
      timeout.reject(error);
    }
  }, timeoutMs);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
