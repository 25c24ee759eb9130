import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { freePort } from '../../src/servers/free-port.ts';
import { startShippedBalancer } from '../../src/servers/shipped-balancer.ts';
import { hasCaddy, startShippedCaddy, type ShippedCaddy } from '../../src/servers/shipped-caddy.ts';
import { waitUntil } from '../../src/testing/wait-until.ts';

/** The addresses of two clients: on Linux all of 127.0.0.0/8 is local. Caddy connects from 127.0.0.1. */
const [ALICE, BOB] = ['127.0.0.2', '127.0.0.3'] as const;

const meta = { skipReason: 'caddy is not installed' };

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of cleanUp.splice(0).toReversed()) await stop();
});

describe.skipIf(!hasCaddy())('Caddy with infra/caddy/Caddyfile', { meta }, () => {
  test('the API sees the address of each client behind Caddy and HAProxy, whatever X-Forwarded-For they send', async () => {
    const caddy = await caddyBefore(({ headers }, response) => void response.end(JSON.stringify(headers)));
    for (const client of [ALICE, BOB]) {
      const answer = await send(caddy, {
        localAddress: client,
        headers: { 'x-forwarded-for': '203.0.113.9' },
      });
      expect(JSON.parse(await text(answer))).toMatchObject({ 'x-forwarded-for': client });
      expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    }
  });

  test('an event of a stream reaches the client before the next one is written', async () => {
    const streams: ServerResponse[] = [];
    const caddy = await caddyBefore((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      streams.push(response);
    });
    const answer = await send(caddy, { path: '/v1/public/invoices/inv_1/events' });
    for (const next of ['2', '3', '4']) {
      const [bytes] = await once(answer, 'data');
      expect(String(bytes)).toBe(`data: ${Number(next) - 1}\n\n`);
      streams[0]?.write(`data: ${next}\n\n`);
    }
    answer.destroy();
  });

  test('its log contains no path, API key or cookie of a request that failed', async () => {
    const caddy = await startShippedCaddy(await freePort());
    cleanUp.push(() => caddy.stop());
    const headers = { 'x-api-key': 'pw_secret_key', cookie: 'session=secret_session' };
    expect((await send(caddy, { path: '/overlay/secret_token', headers })).statusCode).toBe(502);
    await waitUntil(() => readFileSync(caddy.logFile, 'utf8').includes('connection refused'), {
      what: 'the error in the log',
    });
    expect(readFileSync(caddy.logFile, 'utf8')).not.toContain('secret');
  });
});

type Handler = (message: IncomingMessage, response: ServerResponse) => void;

/** Caddy in front of the shipped HAProxy in front of this API. */
async function caddyBefore(handler: Handler): Promise<ShippedCaddy> {
  const api = createServer((message, response) =>
    message.url === '/health/ready' ? void response.end() : handler(message, response),
  ).listen(0, '127.0.0.1');
  await once(api, 'listening');
  cleanUp.push(async () => api.close().closeAllConnections());
  const { port } = api.address() as AddressInfo;
  // As in compose.yaml: the addresses of Caddy, and a placeholder.
  const upstreams = { TRUSTED_UPSTREAMS: '127.0.0.1/32 255.255.255.255' };
  const balancer = await startShippedBalancer({ port }, upstreams);
  cleanUp.push(() => balancer.stop());
  const caddy = await startShippedCaddy(balancer.port);
  cleanUp.push(() => caddy.stop());
  const isServing = async () => (await send(caddy, { path: '/health/ready' })).statusCode === 200;
  await waitUntil(isServing, { what: 'the API behind Caddy' });
  return caddy;
}

async function send(
  { port, ca }: ShippedCaddy,
  { headers, ...options }: { path?: string; localAddress?: string; headers?: IncomingHttpHeaders },
): Promise<IncomingMessage> {
  const target = { host: '127.0.0.1', servername: 'localhost', port, ca, agent: false };
  const sent = request({ ...target, ...options, headers: { host: `localhost:${port}`, ...headers } });
  sent.end();
  const [answer] = await once(sent, 'response');
  return answer;
}
