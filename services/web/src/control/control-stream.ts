import type { ControlView } from '@paywatch/domain/contract';
import { useEffect, useState } from 'preact/hooks';

const FIRST_RETRY_MS = 3_000;
const LAST_RETRY_MS = 60_000;

/** Whether the page shows what is true now. `replaced`: the link does not work any more. */
export type Connection = 'connecting' | 'live' | 'lost' | 'replaced';

/** What moderators see, kept up to date by the stream; null until the first message. */
export function useControlStream(path: string): { view: ControlView | null; connection: Connection } {
  const [view, setView] = useState<ControlView | null>(null);
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => followControl(path, setView, setConnection), [path]);
  return { view, connection };
}

/** Follows the stream until the returned function is called. Reconnects without limit. */
function followControl(
  path: string,
  onView: (view: ControlView) => void,
  onConnection: (connection: Connection) => void,
): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryMs = FIRST_RETRY_MS;
  const open = () => {
    source = new EventSource(path);
    source.addEventListener('open', () => (retryMs = FIRST_RETRY_MS));
    source.addEventListener('control', ({ data }: MessageEvent<string>) => {
      // The API's tests check the message against its schema.
      onView(JSON.parse(data) as ControlView);
      onConnection('live');
    });
    source.addEventListener('error', () => void retry(source));
  };
  /** EventSource reconnects by itself, except after an error response. */
  const retry = async (failed: EventSource) => {
    onConnection('lost');
    if (failed.readyState !== EventSource.CLOSED) return;
    if (await isGone(path)) return onConnection('replaced');
    timer = setTimeout(open, retryMs * (1 + Math.random() / 5));
    retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

async function isGone(path: string): Promise<boolean> {
  try {
    return (await fetch(path, { method: 'HEAD' })).status === 404;
  } catch {
    // No network: the caller retries.
    return false;
  }
}
