/** Callers within `ms` share one result. A failure is not cached. */
export function cachedRead<Value>(read: () => Promise<Value>, ms: number): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  let untilMs = 0;
  return () => {
    if (value === undefined || performance.now() > untilMs) {
      value = read();
      untilMs = performance.now() + ms;
      value.catch(() => (untilMs = 0));
    }
    return value;
  };
}
