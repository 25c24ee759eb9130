import { send, type Connection, type RequestLine } from './call.ts';
import { readMessages } from './event-stream.ts';
import { pauseMsAfter } from './retry.ts';
import { anySignal, sleep } from './sleep.ts';

/** A message of a stream; keep its `id` to go on after it another time. */
export type StreamMessage<Data> = { readonly id: string; readonly data: Data };

/** How a stream is followed. */
export type FollowOptions = {
  /** The `id` of the last message that is known: what came after it is sent first. */
  readonly lastEventId?: string;
  /** Ends following; it rejects with the reason of the signal. Leaving the loop ends it, too. */
  readonly signal?: AbortSignal;
};

/** Heartbeats come every 15 seconds: a stream that is silent for three of them is dead, whatever TCP says. */
const LONGEST_SILENCE_MS = 45_000;
/** Until the server names another. */
const PAUSE_MS = 3000;
/** A stream is followed for as long as somebody listens, as browsers do; pauses grow to eight seconds. */
const WITHOUT_END = { maxRetries: Infinity, maxRetryDelayMs: Infinity };

/**
 * Follows a stream over every lost connection, each message once and in order, until the server says that nothing more
 * comes (204). Rejects with the PaywatchError of a refusal that time does not mend, such as InvoiceNotFoundError.
 */
export async function* followStream<Data>(
  connection: Connection,
  line: RequestLine,
  { lastEventId, signal }: FollowOptions = {},
): AsyncGenerator<StreamMessage<Data>, void> {
  const position: Position = { id: lastEventId, pauseMs: PAUSE_MS, failures: 0 };
  for (;;) {
    signal?.throwIfAborted();
    const watch = watchSilence();
    let waitMs = 0;
    try {
      watch.allow(connection.timeoutMs);
      const response = await open(connection, line, position.id, anySignal(watch.signal, signal));
      if (response === null) return;
      yield* messagesOf<Data>(response, position, () => watch.allow(LONGEST_SILENCE_MS));
    } catch (error) {
      signal?.throwIfAborted();
      waitMs = pauseMsAfter(error, true, position.failures++, WITHOUT_END);
    } finally {
      watch.close();
    }
    // Many clients lose their server in one moment, and come back spread.
    await sleep(Math.max(waitMs, position.pauseMs * (1 + Math.random() / 2)), signal);
  }
}

/** Where a stream stands: the last message's id, the pause that the server asks for, failures since a message. */
type Position = { id: string | undefined; pauseMs: number; failures: number };

/** Aborts its signal where nobody allows more silence in time. */
function watchSilence() {
  const closing = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(timer);
    closing.abort();
  };
  const allow = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(close, ms);
  };
  return { signal: closing.signal, allow, close };
}

async function open(
  connection: Connection,
  line: RequestLine,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<Response | null> {
  const headers = { Accept: 'text/event-stream', 'Last-Event-ID': lastEventId };
  const response = await send(connection, { line, headers }, signal);
  return response.status === 204 ? null : response;
}

async function* messagesOf<Data>(
  { body }: Response,
  position: Position,
  onBytes: () => void,
): AsyncGenerator<StreamMessage<Data>, void> {
  if (body === null) return;
  onBytes();
  for await (const { id, data, retryMs } of readMessages(body, onBytes)) {
    position.failures = 0;
    position.pauseMs = retryMs ?? position.pauseMs;
    // Also of a block without data: by it a client knows where it was before its first message.
    position.id = id ?? position.id;
    if (data === '') continue;
    yield { id: position.id ?? '', data: JSON.parse(data) };
  }
}
