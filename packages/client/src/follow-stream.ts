import { send, type Connection, type RequestLine } from './call.ts';
import { readMessages } from './event-stream.ts';
import { retryDelayAfter } from './retry.ts';
import { anySignal, sleep } from './sleep.ts';

/** A message of a stream. Store its `id` to resume after it later. */
export type StreamMessage<Data> = { readonly id: string; readonly data: Data };

/** Options for following a stream. */
export type FollowOptions = {
  /** The `id` of the last known message; the stream resumes after it. */
  readonly lastEventId?: string;
  /** Stops following and rejects with the reason of the signal. Leaving the loop stops it too. */
  readonly signal?: AbortSignal;
};

/** Heartbeats arrive every 15 seconds; after three missed ones the connection counts as dead. */
const HEARTBEAT_TIMEOUT_MS = 45_000;
/** The reconnect delay until the server sends one. */
const RECONNECT_MS = 3000;
/** Streams reconnect without limit, like EventSource; the backoff grows to eight seconds. */
const UNLIMITED = { maxRetries: Infinity, maxRetryDelayMs: Infinity };

/**
 * Follows a stream across lost connections and yields each message once and in order, until the server responds with 204.
 * Rejects with the PaywatchError of an error that a retry cannot fix, such as InvoiceNotFoundError.
 */
export async function* followStream<Data>(
  connection: Connection,
  line: RequestLine,
  { lastEventId, signal }: FollowOptions = {},
): AsyncGenerator<StreamMessage<Data>, void> {
  const position: Position = { id: lastEventId, delayMs: RECONNECT_MS, failures: 0 };
  for (;;) {
    signal?.throwIfAborted();
    const watchdog = createWatchdog();
    let waitMs = 0;
    try {
      watchdog.reset(connection.timeoutMs);
      const response = await open(connection, line, position.id, anySignal(watchdog.signal, signal));
      if (response === null) return;
      yield* messagesOf<Data>(response, position, () => watchdog.reset(HEARTBEAT_TIMEOUT_MS));
    } catch (error) {
      signal?.throwIfAborted();
      waitMs = retryDelayAfter(error, true, position.failures++, UNLIMITED);
    } finally {
      watchdog.abort();
    }
    // Jitter: when a server goes down, all of its clients lose their connection at once.
    await sleep(Math.max(waitMs, position.delayMs * (1 + Math.random() / 2)), signal);
  }
}

/** The state of a stream: last message id, reconnect delay of the server, failures since the last message. */
type Position = { id: string | undefined; delayMs: number; failures: number };

/** Aborts its signal unless it is reset in time. */
function createWatchdog() {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = () => {
    clearTimeout(timer);
    controller.abort();
  };
  const reset = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(abort, ms);
  };
  return { signal: controller.signal, reset, abort };
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
    position.delayMs = retryMs ?? position.delayMs;
    // A block without data carries an id too: the position before the first message.
    position.id = id ?? position.id;
    if (data === '') continue;
    yield { id: position.id ?? '', data: JSON.parse(data) };
  }
}
