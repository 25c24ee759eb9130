import { HANG_TIMEOUT_MS } from '../testing/wait-until.ts';

/** One server-sent event. */
export type StreamEvent = { event: string; data: string; id: string | undefined };

/** A stream of server-sent events that is being read. */
export type EventStream = {
  /** The status of the answer; 204 where there is nothing left to say. */
  status: number;
  /** Everything that arrived so far. */
  received: readonly StreamEvent[];
  /** The first event that matches, if need be one that is still to come. Rejects when the stream ends without it. */
  waitFor(matches: (event: StreamEvent) => boolean): Promise<StreamEvent>;
  /** Settles when the stream ended, by the server or by `close`. */
  ended: Promise<void>;
  close(): void;
};

/** Opens a stream and reads it until it ends. `lastEventId` asks for what came after it. Throws on an answer that is no 2xx. */
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
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  const received: StreamEvent[] = [];
  const listeners = new Set<() => void>();
  const hear = () => [...listeners].forEach((listener) => listener());
  let isOpen = true;
  const ended = readEvents(response, (event) => {
    received.push(event);
    hear();
  }).finally(() => {
    isOpen = false;
    hear();
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

/** Reads to the end; a stream that is cut, by us or by a crash at the other end, has ended. */
async function readEvents(response: Response, onEvent: (event: StreamEvent) => void): Promise<void> {
  const parser = createEventParser(onEvent);
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) parser(decoder.decode(chunk, { stream: true }));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

/** Turns text, in pieces of any size, into events, after the HTML standard's "event stream interpretation". */
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
  // Comments keep the line open, and `retry` is for browsers: neither is an event.
  if (data.length === 0) return undefined;
  return { event: valuesOf('event').at(-1) ?? 'message', data: data.join('\n'), id: valuesOf('id').at(-1) };
}
