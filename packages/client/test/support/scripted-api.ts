import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A received request. */
type SeenRequest = { line: string; headers: IncomingHttpHeaders; body: string };

/** Writes one response, or closes the connection. */
export type Answer = (response: ServerResponse) => void;

/** A server with scripted responses, for failures that a real API does not produce on demand. */
export type ScriptedApi = { url: string; seen: SeenRequest[] };

/** Starts a server for the current test. The last response repeats. */
export async function scriptedApi(...answers: [Answer, ...Answer[]]): Promise<ScriptedApi> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const answer = answers[Math.min(seen.length, answers.length - 1)];
      seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      answer?.(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** A response with a JSON body. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
}

/** An error response like the API's. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): Answer {
  return json({ status, code, detail: 'Refused.', request_id: 'req_1' }, status, headers);
}

/** Closes the connection without a response. */
export const hangUp: Answer = (response) => void response.destroy();
