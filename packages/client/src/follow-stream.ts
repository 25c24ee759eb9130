import { errorOf, send, type Connection } from './call.ts';
import { readMessages } from './event-stream.ts';
import { PaywatchConnectionError, PaywatchError } from './paywatch-error.ts';
import { retryDelayMs } from './retry.ts';
import { sleep } from './sleep.ts';

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
  path: string,
  { lastEventId, signal }: FollowOptions = {},
): AsyncGenerator<StreamMessage<Data>, void> {
  const position: Position = { lastEventId, pauseMs: PAUSE_MS, failures: 0 };
  for (;;) {
    signal?.throwIfAborted();
    const closing = new AbortController();
    const either = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
    let waitMs = 0;
    try {
      const response = await open(connection, path, position.lastEventId, either, closing);
      if (response === null) return;
      yield* messagesOf<Data>(response, position, closing);
    } catch (error) {
      signal?.throwIfAborted();
      waitMs = pauseAfter(error, position);
    } finally {
      closing.abort();
    }
    // Many clients lose their server in one moment, and come back spread.
    await sleep(Math.max(waitMs, position.pauseMs * (1 + Math.random() / 2)), signal);
  }
}

type Position = { lastEventId: string | undefined; pauseMs: number; failures: number };

async function open(
  connection: Connection,
  path: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
  closing: AbortController,
): Promise<Response | null> {
  const headers = {
    Accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
  };
  const timer = setTimeout(() => closing.abort(), connection.timeoutMs);
  try {
    const response = await send(connection, { method: 'GET', path, headers, repeatable: true }, signal);
    if (response.status === 204) return null;
    if (!response.ok) throw await errorOf(response);
    return response;
  } finally {
    clearTimeout(timer);
  }
}

async function* messagesOf<Data>(
  { body }: Response,
  position: Position,
  closing: AbortController,
): AsyncGenerator<StreamMessage<Data>, void> {
  if (body === null) return;
  let timer = setTimeout(() => closing.abort(), LONGEST_SILENCE_MS);
  const onBytes = () => {
    clearTimeout(timer);
    timer = setTimeout(() => closing.abort(), LONGEST_SILENCE_MS);
  };
  try {
    for await (const { id, data, retryMs } of readMessages(body, onBytes)) {
      position.failures = 0;
      if (retryMs !== undefined) position.pauseMs = retryMs;
      if (data === '') continue;
      if (id !== undefined) position.lastEventId = id;
      yield { id: position.lastEventId ?? '', data: JSON.parse(data) };
    }
  } finally {
    clearTimeout(timer);
  }
}

/** How long to wait after a failure. Throws it where waiting does not help. */
function pauseAfter(error: unknown, position: Position): number {
  const failure = error instanceof PaywatchError ? error : null;
  if (failure === null && !(error instanceof PaywatchConnectionError)) throw error;
  const delayMs = retryDelayMs(failure, true, position.failures++, WITHOUT_END, Math.random());
  if (delayMs === null) throw error;
  return delayMs;
}
