import { createCertificateAuthority } from '@paywatch/dev/servers';
import { getEvent } from '@paywatch/store/webhooks';
import { createServer } from 'node:https';
import type { RequestListener, Server } from 'node:http';
import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { causeEvent, createProject, setEndpoint } from './support/merchant.ts';
import { openShopBench, type ShopBench } from './support/shop.ts';

const DEADLINE_MS = 1000;

let bench: ShopBench;
const servers: Server[] = [];

beforeAll(async () => {
  bench = await openShopBench({ deadlineMs: DEADLINE_MS });
  await bench.startWorker();
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});
afterAll(() => bench.close());

/** The recorded first attempt to a server that responds with `answer`. */
async function attemptTo(
  answer: RequestListener,
  options: { certificate?: { certificate: string; privateKey: string }; host?: string; path?: string } = {},
) {
  const { certificate, privateKey } = options.certificate ?? bench.certificate;
  const server = createServer({ cert: certificate, key: privateKey }, answer);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { id, projectId } = await sendTo(
    `https://${options.host ?? 'localhost'}:${port}${options.path ?? '/'}`,
  );
  await bench.afterAttempts(id, 1);
  const event = await getEvent(bench.store, projectId, id);
  return event?.attempts[0];
}

async function sendTo(url: string): Promise<{ id: string; projectId: bigint }> {
  const projectId = await createProject(bench.store);
  await setEndpoint(bench.store, bench.sealer, projectId, url);
  const { id } = await causeEvent(bench.store, projectId);
  return { id, projectId };
}

test.for([200, 201, 202, 204, 299])('%i is a success', async (status) => {
  const attempt = await attemptTo((_request, response) => response.writeHead(status).end());
  expect(attempt).toMatchObject({ httpStatus: status, error: null });
});

test.for([
  [301, 'answered 301; redirects are not followed'],
  [302, 'answered 302; redirects are not followed'],
  [307, 'answered 307; redirects are not followed'],
  [308, 'answered 308; redirects are not followed'],
] as const)('a redirect with %i is a failure and is not followed', async ([status, error]) => {
  let followed = 0;
  const attempt = await attemptTo((request, response) => {
    if (request.url === '/elsewhere') followed += 1;
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  expect(attempt).toMatchObject({ httpStatus: status, error });
  expect(followed).toBe(0);
});

test.for([
  (port: number) => `https://127.0.0.1:${port}/latest/meta-data/`,
  (port: number) => `https://localhost:${port}/`,
  (port: number) => `//127.0.0.1:${port}/`,
  (port: number) => `http://127.0.0.1:${port}/`,
])('a redirect to an internal address opens no connection there (%#)', async (locate) => {
  let connections = 0;
  const inner = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(inner, 'listening');
  const location = locate((inner.address() as AddressInfo).port);
  const attempt = await attemptTo((_request, response) => response.writeHead(307, { location }).end());
  expect(attempt).toMatchObject({ httpStatus: 307, error: 'answered 307; redirects are not followed' });
  inner.close();
  expect(connections).toBe(0);
});

test('an attempt to a receiver that never responds ends at the deadline', async () => {
  const attempt = await attemptTo(() => undefined);
  expect(attempt).toMatchObject({ httpStatus: null, error: 'no complete answer within 1 s' });
  expect(attempt?.durationMs).toBeGreaterThanOrEqual(DEADLINE_MS - 10);
});

test('an attempt with a slowly dripping body ends at the same deadline, whatever its status', async () => {
  const attempt = await attemptTo((_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('.'), 50);
    response.on('close', () => clearInterval(drip));
  });
  expect(attempt).toMatchObject({ httpStatus: null, error: 'no complete answer within 1 s' });
  expect(attempt?.durationMs).toBeGreaterThanOrEqual(DEADLINE_MS - 10);
});

test('only the first KiB of a huge response is kept, and the rest is not read', async () => {
  let written = 0;
  const chunk = Buffer.alloc(16_384, 'x');
  const attempt = await attemptTo((_request, response) => {
    response.writeHead(200);
    const pour = (): void => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
    };
    response.on('drain', pour);
    pour();
  });
  expect(attempt).toMatchObject({ httpStatus: 200, error: null, responseExcerpt: 'x'.repeat(1024) });
  expect(written).toBeLessThan(8 * 1024 * 1024);
});

test('the excerpt of any response bytes is text that Postgres can store', async () => {
  const attempt = await attemptTo((_request, response) =>
    response.end(
      Buffer.concat([Buffer.from('\0a\ufffe'), Buffer.from([0xff, 0xc3]), Buffer.alloc(1015, 'é')]),
    ),
  );
  expect(attempt?.responseExcerpt).toMatch(/^␀a\ufffe�+é+$/u);
});

test('a certificate of an unknown authority is refused before the request is sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'paywatch-other-ca-'));
  const stranger = await (await createCertificateAuthority(folder)).issue();
  rmSync(folder, { recursive: true });
  let requests = 0;
  const unknown = await attemptTo(() => (requests += 1), { certificate: stranger });
  expect(unknown?.error).toMatch(/^TLS failed: the certificate/);
  expect(requests).toBe(0);
});

test.for([
  ['expired', 'TLS failed: the certificate has expired'],
  ['other_host', 'TLS failed: the certificate is for another host'],
] as const)('a certificate with fault %s is refused before the request is sent', async ([fault, error]) => {
  let requests = 0;
  const certificate = await bench.authority.issueFaulty(fault);
  const attempt = await attemptTo(() => (requests += 1), { certificate });
  expect(attempt).toMatchObject({ httpStatus: null, error });
  expect(requests).toBe(0);
});

test.for([
  ['sends invalid HTTP', 'no HTTP at all\r\n\r\n', 'the answer is not valid HTTP'],
  [
    'sends headers without an end',
    `HTTP/1.1 200 OK\r\n${'x-padding: x\r\n'.repeat(20_000)}`,
    'the headers of the answer are too long',
  ],
] as const)(
  'an attempt to a receiver that %s fails with a reason for the merchant',
  async ([_title, answer, error]) => {
    const attempt = await attemptTo((request) => request.socket.end(answer));
    expect(attempt).toMatchObject({ httpStatus: null, error });
  },
);

test('an attempt to a server without TLS fails with a reason for the merchant', async () => {
  const plain = createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const { id, projectId } = await sendTo(`https://localhost:${(plain.address() as AddressInfo).port}/`);
  await bench.afterAttempts(id, 1);
  const event = await getEvent(bench.store, projectId, id);
  expect(event?.attempts[0]?.error).toMatch(/^TLS failed/);
  plain.close();
});

test('a closed port, a closed connection and an internal host name each get their own reason', async () => {
  const closed = await attemptTo((request) => request.socket.destroy());
  expect(closed?.error).toBe('connection closed before the answer');
  const errors: (string | null | undefined)[] = [];
  for (const url of ['https://localhost:1/', 'https://nobody.localhost:9443/']) {
    const { id, projectId } = await sendTo(url);
    await bench.afterAttempts(id, 1);
    errors.push((await getEvent(bench.store, projectId, id))?.attempts[0]?.error);
  }
  expect(errors[0]).toBe('connection refused');
  expect(errors[1]).toMatch(/^Must be at a public address/);
});

test('attempts to one endpoint reuse a kept-alive connection', async () => {
  let connections = 0;
  const counter = createServer(
    { cert: bench.certificate.certificate, key: bench.certificate.privateKey },
    (_, response) => response.end('x'.repeat(4000)),
  );
  servers.push(counter);
  counter.on('secureConnection', () => (connections += 1));
  counter.listen(0, '127.0.0.1');
  await once(counter, 'listening');
  const projectId = await createProject(bench.store);
  const { port } = counter.address() as AddressInfo;
  await setEndpoint(bench.store, bench.sealer, projectId, `https://localhost:${port}/`);
  for (let sent = 0; sent < 5; sent += 1) {
    const { id } = await causeEvent(bench.store, projectId);
    await bench.afterAttempts(id, 1);
  }
  expect(connections).toBe(1);
});

test('logs contain no path, query, secret, body or signature', async () => {
  const canary = 'canary-4711';
  const projectId = await createProject(bench.store);
  const secret = await setEndpoint(
    bench.store,
    bench.sealer,
    projectId,
    `https://localhost:1/${canary}?k=${canary}`,
  );
  const { id } = await causeEvent(bench.store, projectId, { canary });
  await bench.afterAttempts(id, 2);
  const log = bench.logLines.join('');
  expect(log).toContain(id);
  expect(log).not.toContain(canary);
  expect(log).not.toContain(secret.slice(6, 20));
  expect(log).not.toContain('v1=');
});
