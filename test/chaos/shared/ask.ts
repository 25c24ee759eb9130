import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A response, or none after a broken connection or a timeout; it is then unknown whether the request was executed. */
export type Answer =
  | { isLost: false; status: number; body: Record<string, unknown>; retryAfterSeconds: number | null }
  | { isLost: true; reason: string };

export type Question = {
  port: number;
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  timeoutMs: number;
};

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Sends one request on a keep-alive connection. Never throws: errors are part of the result. */
export async function ask(question: Question): Promise<Answer> {
  try {
    const response = await send(question);
    const body = await text(response);
    return {
      isLost: false,
      status: response.statusCode ?? 0,
      body: body === '' ? {} : JSON.parse(body),
      retryAfterSeconds: Number(response.headers['retry-after'] ?? NaN) || null,
    };
  } catch (error) {
    return { isLost: true, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function send({ port, method, path, headers, body, timeoutMs }: Question): Promise<IncomingMessage> {
  const sent = body === undefined ? '' : JSON.stringify(body);
  const asked = request({
    agent,
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { ...headers, ...(sent === '' ? {} : { 'content-type': 'application/json' }) },
    signal: AbortSignal.timeout(timeoutMs),
  });
  asked.end(sent);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}
