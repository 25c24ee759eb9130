import { HANG_TIMEOUT_MS } from '../testing/wait-until.ts';

/** One server-sent event. */
export type StreamEvent = { event: string; data: string; id: string | undefined };

/** An open stream of server-sent events. */
export type EventStream = {
  /** The HTTP status; 204 if the stream has ended for good. */
  status: number;
  /** All events received so far. */
  received: readonly StreamEvent[];
  /** Resolves to the first matching event, received or future. Rejects if the stream ends without one. */
  waitFor(matches: (event: StreamEvent) => boolean): Promise<StreamEvent>;
  /** Resolves when the stream has ended, by the server or by `close`. */
  ended: Promise<void>;
  close(): void;
};

/** Opens a stream and reads it to its end, from after `lastEventId`. Throws for a status other than 2xx. */
export async function openEventStream(
  url: string,
  options: { lastEventId?: string } = {},
): Promise<EventStream> {
  const closing = new AbortController();
  const response = await fetch(url, {
    headers: {
      accept: 'text/event-stream',
      ...(options.lastEventId === undefined ? {} : { 'last-event-id': options.lastEventId }),
    },
    signal: closing.signal,
  });
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
  const received: StreamEvent[] = [];
  const listeners = new Set<() => void>();
  const notify = () => [...listeners].forEach((listener) => listener());
  let isOpen = true;
  const ended = readEvents(response, (event) => {
    received.push(event);
    notify();
  }).finally(() => {
    isOpen = false;
    notify();
  });
  return {
    status: response.status,
    received,
    ended,
    close: () => closing.abort(),
    waitFor: (matches) =>
      new Promise((resolve, reject) => {
        const settle = (result: () => void) => {
          clearTimeout(timer);
          listeners.delete(look);
          result();
        };
        const look = () => {
          const found = received.find(matches);
          if (found !== undefined) settle(() => resolve(found));
          else if (!isOpen) settle(() => reject(new Error(`${url} ended without the event`)));
        };
        const timer = setTimeout(
          () => settle(() => reject(new Error(`waited ${HANG_TIMEOUT_MS} ms for an event of ${url}`))),
          HANG_TIMEOUT_MS,
        );
        listeners.add(look);
        look();
      }),
  };
}

/** Reads to the end. A broken connection, closed by us or by a crash of the server, counts as the end. */
async function readEvents(response: Response, onEvent: (event: StreamEvent) => void): Promise<void> {
  const parser = createEventParser(onEvent);
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) parser(decoder.decode(chunk, { stream: true }));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

/** Parses chunks of any size into events ("event stream interpretation" of the HTML standard). */
export function createEventParser(onEvent: (event: StreamEvent) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== undefined) onEvent(event);
    }
  };
}

function parseBlock(block: string): StreamEvent | undefined {
  const fields = block.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':');
    return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
  });
  const valuesOf = (name: string) => fields.flatMap(([field, value]) => (field === name ? [value] : []));
  const data = valuesOf('data');
  // Comments (heartbeats) and `retry` are not events.
  if (data.length === 0) return undefined;
  return { event: valuesOf('event').at(-1) ?? 'message', data: data.join('\n'), id: valuesOf('id').at(-1) };
}
