/**
 * Resolves or rejects as `work` does, or after `timeoutMs` returns what `onTimeout` returns; it may throw instead. `work` is not
 * cancelled: a rejection that comes later is ignored.
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
