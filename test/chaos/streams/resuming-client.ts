import type { SeededRandom } from '@paywatch/dev/testing';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A message with data. `id` is null for one that does not change the position. */
export type StreamMessage = { id: string | null; event: string; data: string; atMs: number };

/** A client of an event stream that reconnects until it is stopped, like a browser's EventSource. */
export type ResumingClient = {
  /** The first id, with or without a message; null before it arrives. */
  firstId(): string | null;
  /** The number of reconnections. */
  reconnects(): number;
  /** Cuts the connection, even within a message. Returns false if there was none. */
  cut(): boolean;
  stop(): Promise<void>;
};

/** Shorter than the seconds that browsers wait, for more reconnections. */
const LONGEST_WAIT_MS = 400;
/** A connection without data for this long is closed; heartbeats arrive every 15 s. */
const SILENT_MS = 40_000;

type OnMessage = (message: StreamMessage) => void;
type State = {
  firstId: string | null;
  lastId: string | null;
  reconnects: number;
  isOpen: boolean;
  onMessage: OnMessage;
};

/** Connects, and reconnects until it is stopped. Calls `onMessage` for each message on all connections, in the order of arrival. */
export function startResumingClient(url: string, random: SeededRandom, onMessage: OnMessage): ResumingClient {
  const state: State = { firstId: null, lastId: null, reconnects: 0, isOpen: false, onMessage };
  const stopping = new AbortController();
  let current: ClientRequest | null = null;
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      current = ask(url, state.lastId);
      await readUntilItEnds(current, state);
      if (stopping.signal.aborted) return;
      await sleep(random.integer(LONGEST_WAIT_MS));
      state.reconnects += 1;
    }
  };
  const running = run();
  return {
    firstId: () => state.firstId,
    reconnects: () => state.reconnects,
    cut: () => {
      const { isOpen } = state;
      current?.destroy();
      return isOpen;
    },
    stop: async () => {
      stopping.abort();
      current?.destroy();
      await running;
    },
  };
}

function ask(url: string, lastId: string | null): ClientRequest {
  const headers = { accept: 'text/event-stream', ...(lastId === null ? {} : { 'last-event-id': lastId }) };
  return request(url, { agent: false, headers, timeout: SILENT_MS }).end();
}

async function readUntilItEnds(sent: ClientRequest, state: State): Promise<void> {
  // Any error ends the connection and is followed by a reconnection.
  sent.on('error', () => undefined).once('timeout', () => sent.destroy());
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  sent.once('close', resolve);
  sent.once('response', (response: IncomingMessage) => {
    response.on('error', () => undefined);
    state.isOpen = response.statusCode === 200;
    if (state.isOpen) read(response, state);
    else response.resume();
  });
  await closed;
  state.isOpen = false;
}

/** A message without its final empty line was not received. */
function read(response: IncomingMessage, state: State): void {
  let waiting = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (waiting + text).split('\n\n');
    waiting = blocks.pop() ?? '';
    for (const block of blocks) take(block.split('\n'), state);
  });
}

function take(lines: readonly string[], state: State): void {
  const field = (name: string) =>
    lines.findLast((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null;
  const [id, data] = [field('id'), field('data')];
  if (id !== null) {
    state.firstId ??= id;
    state.lastId = id;
  }
  if (data !== null) state.onMessage({ id, event: field('event') ?? '', data, atMs: performance.now() });
}
