import type { AllowedHosts } from '@paywatch/domain/webhooks';
import type { GuardedResolver } from '@paywatch/runtime/security';
import { Agent, type Dispatcher } from 'undici';
import { createGuardedConnector } from './allowed-address.ts';
import { describeFailure } from './describe-failure.ts';

/** One signed POST. */
export type WebhookRequest = { url: URL; headers: Record<string, string>; body: string };

/** What came back. `excerpt` is the beginning of the answer, as text; `error` says why there was none. */
export type WebhookAnswer =
  | { kind: 'answered'; status: number; excerpt: string; retryAfter: string | null }
  | { kind: 'unanswered'; error: string };

export type Sender = {
  /** Never throws, and ends within the deadline. */
  send(request: WebhookRequest): Promise<WebhookAnswer>;
  close(): Promise<void>;
};

export type SenderOptions = {
  resolver: GuardedResolver;
  allowedHosts: AllowedHosts;
  /** PEM of an authority that is trusted besides those of the runtime, or null. */
  ca: string | null;
  /** For all of an attempt: name, connection, TLS, headers and body. */
  deadlineMs: number;
};

const EXCERPT_BYTES = 1024;
/** An answer up to this length is read to its end, so that the connection can be used again. */
const READ_BYTES = 16 * 1024;

/** Sends over kept-alive connections, one pool for each origin. Follows no redirect, keeps no cookie, unpacks nothing. */
export function createSender(options: SenderOptions): Sender {
  const agent = new Agent({
    connect: createGuardedConnector({ ...options, connectTimeoutMs: options.deadlineMs }),
    // One deadline rules; a second clock in the parser would only cost.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: 60_000,
  });
  return {
    send: (message) => sendWithin(agent, message, options.deadlineMs),
    close: () => agent.destroy(),
  };
}

/** The deadline's own timer and a handler of the bare events: a stream and an abort signal would cost as much as the request. */
function sendWithin(agent: Agent, message: WebhookRequest, deadlineMs: number): Promise<WebhookAnswer> {
  const { promise, resolve } = Promise.withResolvers<WebhookAnswer>();
  const exchange = new Exchange((answer) => {
    clearTimeout(timer);
    resolve(answer);
  });
  const timer = setTimeout(
    () => exchange.end({ kind: 'unanswered', error: `no complete answer within ${deadlineMs / 1000} s` }),
    deadlineMs,
  );
  const { url, headers, body } = message;
  try {
    const path = `${url.pathname}${url.search}`;
    agent.dispatch({ origin: url.origin, path, method: 'POST', headers, body }, exchange);
  } catch (error) {
    exchange.end({ kind: 'unanswered', error: describeFailure(error) });
  }
  return promise;
}

/** One request and what comes back. The first end counts; one that comes before the other side's closes the connection. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #tell: (answer: WebhookAnswer) => void;
  #hasEnded = false;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #retryAfter: string | null = null;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(tell: (answer: WebhookAnswer) => void) {
    this.#tell = tell;
  }

  end(answer: WebhookAnswer): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#controller?.abort(ENDED);
    this.#tell(answer);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // While it waited for a connection the deadline may have passed.
    if (this.#hasEnded) controller.abort(ENDED);
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Of several, as 103 and then 200, the last is the answer.
    this.#status = status;
    const retryAfter = headers['retry-after'];
    this.#retryAfter = typeof retryAfter === 'string' ? retryAfter : null;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#length < EXCERPT_BYTES) this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length > READ_BYTES) this.end(this.#answered());
  }

  onResponseEnd(): void {
    this.#controller = null;
    this.end(this.#answered());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#controller = null;
    this.end({ kind: 'unanswered', error: describeFailure(error) });
  }

  #answered(): WebhookAnswer {
    const excerpt = toText(Buffer.concat(this.#chunks).subarray(0, EXCERPT_BYTES));
    return { kind: 'answered', status: this.#status, excerpt, retryAfter: this.#retryAfter };
  }
}

const ENDED = new Error('the attempt has ended');

/** A character cut in two at the end is left out; NUL, which Postgres cannot store, is shown as what it is. */
function toText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\u2400');
}
