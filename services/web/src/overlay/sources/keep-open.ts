const FIRST_RETRY_MS = 3_000;
const LAST_RETRY_MS = 60_000;

/**
 * Opens an event source at `path()`, and another one after an error response such as 429 or a balancer's 503: EventSource reconnects by itself
 * after everything else. `listen` adds the listeners of each.
 */
export function keepOpen(path: () => string, listen: (source: EventSource) => void): void {
  let retryMs = FIRST_RETRY_MS;
  const open = () => {
    const source = new EventSource(path());
    source.addEventListener('open', () => (retryMs = FIRST_RETRY_MS));
    listen(source);
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(open, retryMs * (1 + Math.random() / 5));
      retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
    });
  };
  open();
}
