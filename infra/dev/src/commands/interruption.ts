/** Signals that stop a command. */
const endings: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Ctrl-C arrives twice: from the terminal, and forwarded by bootstrap.mjs. */
const sameSignalMs = 1000;

/**
 * Returns a signal that aborts at the first SIGINT or SIGTERM, so that the process can stop its servers in order. At a later one the
 * process exits with 130 and kills what is still running.
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

/** Resolves when the signal aborts, or at once if it already has. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
