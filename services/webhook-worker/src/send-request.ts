import type { AllowedHosts } from '@paywatch/domain';
import type { GuardedResolver } from '@paywatch/runtime';
import { Agent, type Dispatcher, request } from 'undici';
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

async function sendWithin(agent: Agent, message: WebhookRequest, deadlineMs: number): Promise<WebhookAnswer> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  try {
    return await post(agent, message, deadline.signal);
  } catch (error) {
    const timedOut = deadline.signal.aborted;
    return {
      kind: 'unanswered',
      error: timedOut ? `no complete answer within ${deadlineMs / 1000} s` : describeFailure(error),
    };
  } finally {
    clearTimeout(timer);
  }
}

async function post(agent: Agent, message: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> {
  const { url, headers, body } = message;
  const response = await request(url, { method: 'POST', dispatcher: agent, headers, body, signal });
  const retryAfter = response.headers['retry-after'];
  return {
    kind: 'answered',
    status: response.statusCode,
    excerpt: await readExcerpt(response.body),
    retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
  };
}

/** The first KiB as text. Reads no further than it must: leaving the loop closes the connection. */
async function readExcerpt(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (length < EXCERPT_BYTES) chunks.push(chunk);
    length += chunk.length;
    if (length > READ_BYTES) break;
  }
  return toText(Buffer.concat(chunks).subarray(0, EXCERPT_BYTES));
}

/** A character cut in two at the end is left out; NUL, which Postgres cannot store, is shown as what it is. */
function toText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\u2400');
}
