import type { AllowedHosts } from '@paywatch/domain/webhooks';
import type { GuardedResolver } from '@paywatch/runtime/security';
import { Agent, type Dispatcher } from 'undici';
import { createGuardedConnector } from './ssrf-guard.ts';
import { describeFailure } from './describe-failure.ts';

/** One signed POST. */
export type WebhookRequest = { url: URL; headers: Record<string, string>; body: string };

/** The response, with the start of its body as `excerpt`; or the reason why there was none, in words for the merchant. */
export type WebhookAnswer =
  | { kind: 'answered'; status: number; excerpt: string; retryAfter: string | null }
  | { kind: 'unanswered'; error: string };

export type Sender = {
  /** Never throws; resolves within the deadline. */
  send(request: WebhookRequest): Promise<WebhookAnswer>;
  close(): Promise<void>;
};

export type SenderOptions = {
  resolver: GuardedResolver;
  allowedHosts: AllowedHosts;
  /** PEM of a certificate authority that is trusted besides those of Node.js, or null. */
  ca: string | null;
  /** Covers the whole attempt: DNS, connection, TLS, headers and body. */
  deadlineMs: number;
};

const EXCERPT_BYTES = 1024;
/** A body up to this length is read to its end, so that the connection can be reused. */
const MAX_BODY_BYTES = 16 * 1024;

/** Sends over kept-alive connections, one pool per origin. Follows no redirects, stores no cookies, decompresses nothing. */
export function createSender(options: SenderOptions): Sender {
  const agent = new Agent({
    connect: createGuardedConnector({ ...options, connectTimeoutMs: options.deadlineMs }),
    // The deadline covers both; undici's own timers would only cost CPU.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: 60_000,
  });
  return {
    send: (request) => sendWithDeadline(agent, request, options.deadlineMs),
    close: () => agent.destroy(),
  };
}

/** Uses one timer and undici's raw events: a body stream and an AbortSignal would double the CPU cost of a request. */
function sendWithDeadline(agent: Agent, request: WebhookRequest, deadlineMs: number): Promise<WebhookAnswer> {
  const { promise, resolve } = Promise.withResolvers<WebhookAnswer>();
  const exchange = new Exchange((answer) => {
    clearTimeout(timer);
    resolve(answer);
  });
  const timer = setTimeout(
    () => exchange.end({ kind: 'unanswered', error: `no complete answer within ${deadlineMs / 1000} s` }),
    deadlineMs,
  );
  const { url, headers, body } = request;
  try {
    const path = `${url.pathname}${url.search}`;
    agent.dispatch({ origin: url.origin, path, method: 'POST', headers, body }, exchange);
  } catch (error) {
    exchange.end({ kind: 'unanswered', error: describeFailure(error) });
  }
  return promise;
}

/** One request and its response. Only the first `end` counts; ending before the response is complete closes the connection. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #onEnd: (answer: WebhookAnswer) => void;
  #hasEnded = false;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #retryAfter: string | null = null;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(onEnd: (answer: WebhookAnswer) => void) {
    this.#onEnd = onEnd;
  }

  end(answer: WebhookAnswer): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#controller?.abort(ENDED);
    this.#onEnd(answer);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The deadline may have passed while the request waited for a connection.
    if (this.#hasEnded) controller.abort(ENDED);
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Called for each informational response (103) as well; the last call is the final status.
    this.#status = status;
    const retryAfter = headers['retry-after'];
    this.#retryAfter = typeof retryAfter === 'string' ? retryAfter : null;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#length < EXCERPT_BYTES) this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length > MAX_BODY_BYTES) this.end(this.#answered());
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

/** Decodes UTF-8. Drops a character that is cut off at the end, and replaces NUL, which Postgres cannot store. */
function toText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\u2400');
}
