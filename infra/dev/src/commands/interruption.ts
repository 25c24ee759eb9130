/** Signals that ask a command to end. */
const endings: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** One press of Ctrl-C arrives twice: from the terminal, and handed on by the bootstrap. */
const sameSignalMs = 1000;

/**
 * Aborts at the first signal that asks this process to end, so that it can stop its servers in order. A later one does not wait:
 * it exits with 130, and whatever still runs is killed on the way out.
 */
export function interruption(): AbortSignal {
  const interrupted = new AbortController();
  let firstAtMs: number | undefined;
  const onSignal = () => {
    firstAtMs ??= performance.now();
    if (performance.now() - firstAtMs > sameSignalMs) process.exit(130);
    interrupted.abort();
  };
  for (const name of endings) process.on(name, onSignal);
  return interrupted.signal;
}

/** Settles when the signal aborts, at once if it did already. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
