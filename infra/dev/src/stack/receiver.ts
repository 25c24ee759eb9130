import { verifyWebhook, type WebhookEvent } from '@paywatch/client';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import type { ServerCertificate } from '../servers/certificates.ts';
import { formatCoins } from '../wallet/format-coins.ts';
import { freePort } from '../servers/free-port.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** A received request and the result of its verification. */
export type ReceivedWebhook = {
  rawBody: string;
  headers: IncomingHttpHeaders;
  receivedAtMs: number;
  /** The event, or the reason why the signature was rejected. */
  event: WebhookEvent | undefined;
  refusal: string | undefined;
  answeredStatus: number;
};

/** A scripted response: status (default 200), headers such as Retry-After, a delay, or a broken connection. */
type ScriptedAnswer = {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
  hangUp?: boolean;
};

/** A merchant's https endpoint. */
export type Receiver = {
  url: string;
  port: number;
  received: readonly ReceivedWebhook[];
  /** Sets the secrets for verifying signatures. */
  setSecrets(...secrets: string[]): void;
  /** Responds to the next requests in this order; afterwards with 200, or 400 for a bad signature. */
  script(...answers: ScriptedAnswer[]): void;
  /** Responds to all requests like this, after the queue of `script`, until called with undefined. */
  always(answer: ScriptedAnswer | undefined): void;
  /** Resolves to the first matching verified event, received or future. */
  waitFor(matches: (event: WebhookEvent) => boolean): Promise<WebhookEvent>;
  /** Calls `listener` for every request. Returns the function that unsubscribes it. */
  subscribe(listener: (webhook: ReceivedWebhook) => void): () => void;
  /** Closes the server and open requests. Safe to call twice. */
  stop(): Promise<void>;
};

/** Starts an https receiver on 127.0.0.1. */
export async function startReceiver(options: {
  certificate: ServerCertificate;
  secrets?: readonly string[];
  port?: number;
}): Promise<Receiver> {
  const state: State = {
    received: [],
    secrets: options.secrets ?? [],
    queue: [],
    standing: undefined,
    arrivals: new EventEmitter(),
  };
  state.arrivals.setMaxListeners(0);
  const server = createServer(
    { cert: options.certificate.certificate, key: options.certificate.privateKey },
    (request, response) => {
      answer(state, request, response).catch((error: unknown) => response.destroy(toError(error)));
    },
  );
  let stopped: Promise<void> | undefined;
  const port = await freePort(options.port);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const subscribe = (listener: (webhook: ReceivedWebhook) => void) => {
    state.arrivals.on('webhook', listener);
    return () => void state.arrivals.off('webhook', listener);
  };
  return {
    url: `https://localhost:${port}/webhooks`,
    port,
    received: state.received,
    setSecrets: (...secrets) => void (state.secrets = secrets),
    script: (...answers) => void state.queue.push(...answers),
    always: (standing) => void (state.standing = standing),
    waitFor: (matches) =>
      waitUntil(() => state.received.flatMap(({ event }) => event ?? []).find(matches), {
        what: 'a webhook',
        everyMs: 20,
      }),
    subscribe,
    stop: () => (stopped ??= close(server)),
  };
}

/** Describes a request in one line: the event or the rejection, and the response status. */
export function describeWebhook({ event, refusal, answeredStatus }: ReceivedWebhook): string {
  if (event === undefined) return `webhook rejected: ${refusal ?? 'unknown'} → ${answeredStatus}`;
  const { public_id, status, received_amount, currency } = event.data.invoice;
  return `${event.type} ${event.id}: ${public_id} is ${status}, received ${formatCoins(received_amount)} ${currency} → ${answeredStatus}`;
}

type State = {
  received: ReceivedWebhook[];
  secrets: readonly string[];
  queue: ScriptedAnswer[];
  standing: ScriptedAnswer | undefined;
  arrivals: EventEmitter<{ webhook: [ReceivedWebhook] }>;
};

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const rawBody = await text(request);
  const receivedAtMs = Date.now();
  if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
  const { event, refusal } = await verify(state.secrets, rawBody, request.headers);
  const scripted = state.queue.shift() ?? state.standing ?? {};
  const answeredStatus = scripted.status ?? (event === undefined ? 400 : 200);
  const webhook = { rawBody, headers: request.headers, receivedAtMs, event, refusal, answeredStatus };
  state.received.push(webhook);
  state.arrivals.emit('webhook', webhook);
  if (scripted.delayMs !== undefined) await sleep(scripted.delayMs);
  if (scripted.hangUp === true) return void response.destroy();
  response.writeHead(answeredStatus, scripted.headers).end(scripted.body ?? refusal ?? 'ok');
}

type Verdict = { event: WebhookEvent | undefined; refusal: string | undefined };

/** Verifies with each secret: during a rotation one match is enough. */
async function verify(
  secrets: readonly string[],
  rawBody: string,
  headers: IncomingHttpHeaders,
): Promise<Verdict> {
  const signature = headers['x-signature'];
  let refusal = 'no secret is set';
  for (const secret of secrets) {
    try {
      return { event: await verifyWebhook(rawBody, String(signature ?? ''), secret), refusal: undefined };
    } catch (error) {
      refusal = toError(error).message;
    }
  }
  return { event: undefined, refusal };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
