import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { StackService } from '@paywatch/dev/stack';
import { HANG_TIMEOUT_MS } from '@paywatch/dev/testing';

/** A request; `raw` is sent unchanged instead of a JSON body. */
type Sending = {
  method?: 'GET' | 'POST' | 'DELETE' | 'PATCH';
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  raw?: string;
};

/** The response and its duration. Status 0 means no response. */
export type Reply = { status: number; body: Record<string, unknown>; durationMs: number };

/** Sends requests like the balancer would for a client in one network, to the API processes in turn. */
export type NetworkedClient = {
  send(sending: Sending): Promise<Reply>;
  /** Opens a stream and resolves to its status; closes it when the signal aborts. */
  open(path: string, signal: AbortSignal): Promise<{ status: number; durationMs: number }>;
};

/**
 * Creates a client in the network of this address. Its own X-Forwarded-For is kept to the left of the address that the balancer adds,
 * as HAProxy does.
 */
export function networkedClient(apis: readonly StackService[], address: string): NetworkedClient {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const start = async (sending: Sending, signal: AbortSignal): Promise<IncomingMessage> => {
    const { method = 'GET', path, headers = {}, body, raw } = sending;
    const payload = raw ?? (body === undefined ? '' : JSON.stringify(body));
    const claimed = headers['x-forwarded-for'];
    const asked = request({
      agent,
      host: '127.0.0.1',
      port: apis[(turn += 1) % apis.length]?.port,
      method,
      path,
      headers: {
        ...(payload === '' ? {} : { 'content-type': 'application/json' }),
        ...headers,
        'x-forwarded-for': claimed === undefined ? address : `${claimed}, ${address}`,
      },
      signal,
    });
    asked.end(payload);
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return response;
  };
  return {
    send: async (sending) => {
      const startedMs = performance.now();
      try {
        const response = await start(sending, AbortSignal.timeout(HANG_TIMEOUT_MS));
        const answered = await text(response);
        const isJson = response.headers['content-type']?.includes('json') === true;
        const body = isJson ? (JSON.parse(answered) as Record<string, unknown>) : {};
        return { status: response.statusCode ?? 0, body, durationMs: performance.now() - startedMs };
      } catch {
        // Any error means that the user got no response: status 0.
        return { status: 0, body: {}, durationMs: performance.now() - startedMs };
      }
    },
    open: async (path, signal) => {
      const startedMs = performance.now();
      try {
        const response = await start({ path }, signal);
        response.on('error', () => undefined);
        response.resume();
        return { status: response.statusCode ?? 0, durationMs: performance.now() - startedMs };
      } catch {
        return { status: 0, durationMs: performance.now() - startedMs };
      }
    },
  };
}
