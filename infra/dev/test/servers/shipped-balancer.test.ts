import { problemSchema } from '@paywatch/domain/contract';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as requestTls } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createCertificateAuthority } from '../../src/servers/certificates.ts';
import { freePort } from '../../src/servers/free-port.ts';
import { startLoadBalancer } from '../../src/servers/load-balancer.ts';
import {
  startShippedBalancer,
  type ShippedBalancer,
  type ShippedBalancerSettings,
} from '../../src/servers/shipped-balancer.ts';
import { repositoryFolder } from '../../src/stack/processes.ts';
import { temporaryFolder } from '../../src/testing/temporary-folder.ts';
import { waitUntil } from '../../src/testing/wait-until.ts';

/** The addresses of two clients: on Linux all of 127.0.0.0/8 is local. Our proxy connects from 127.0.0.1. */
const [ALICE, BOB] = ['127.0.0.2', '127.0.0.3'] as const;

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of cleanUp.splice(0).toReversed()) await stop();
});

test('distinguishes two clients behind one TLS proxy, whatever X-Forwarded-For they send', async () => {
  const inner = await balancer(await echo(), { TRUSTED_UPSTREAMS: '192.0.2.1 127.0.0.1' });
  const { front, ca } = await tlsProxy(inner);
  const ask = (localAddress: string) =>
    send({ port: front.tlsPort, ca, localAddress, headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(forwardedFor(await ask(ALICE))).toBe(ALICE);
  expect(forwardedFor(await ask(BOB))).toBe(BOB);
});

test('distinguishes two clients behind one balancer that speaks the PROXY protocol', async () => {
  const { port } = await balancer(await echo(), { PROXY_PROTOCOL_UPSTREAMS: '127.0.0.1' });
  for (const client of ['198.51.100.7', '198.51.100.8'])
    expect(await sendRaw(port, headerOf(client) + GET)).toContain(`"x-forwarded-for":"${client}"`);
});

test('behind three trusted upstreams the client is the rightmost address that is none of them', async () => {
  const { port } = await balancer(await echo(), { TRUSTED_UPSTREAMS: '127.0.0.1 10.0.0.0/8' });
  const ask = async (chain: string) =>
    forwardedFor(await send({ port, headers: { 'x-forwarded-for': chain } }));
  expect(await ask('203.0.113.9, 198.51.100.7')).toBe('198.51.100.7');
  expect(await ask('203.0.113.9, 198.51.100.7, 10.0.0.2')).toBe('198.51.100.7');
  expect(await ask('203.0.113.9, 198.51.100.7, 10.0.0.3, 10.0.0.2')).toBe('198.51.100.7');
  expect(await ask('203.0.113.9, 2001:db8::7')).toBe('2001:db8::7');
  expect(await ask('not an address')).toBe('127.0.0.1');
});

test('without trusted upstreams no client can choose its address, neither by a header nor by the PROXY protocol', async () => {
  const { port } = await balancer(await echo());
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  expect(forwardedFor(await send({ port, localAddress: ALICE, headers }))).toBe(ALICE);
  expect(await sendRaw(port, `PROXY TCP4 198.51.100.7 192.0.2.1 40000 80\r\n${GET}`)).not.toContain('198.51');
});

test('the limit of concurrent requests applies per client behind a proxy, and per /64 for IPv6', async () => {
  const held: ServerResponse[] = [];
  const api = await serve((_, response) => void held.push(response));
  const { port } = await balancer(api, { TRUSTED_UPSTREAMS: '127.0.0.1', CONNECTIONS_PER_CLIENT: '2' });
  const from = (client: string) => send({ port, headers: { 'x-forwarded-for': client } });
  const open = [from('2001:db8::1'), from('2001:db8::2')];
  await waitUntil(() => held.length === 2, { what: 'two requests to be open' });
  const refused = await from('2001:db8::ffff:3');
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '10' } });
  open.push(from('2001:db8:0:1::1'), from('198.51.100.7'), from('198.51.100.8'));
  await waitUntil(() => held.length === 5, { what: 'requests of other networks to be open' });
  for (const response of held) response.end();
  expect((await Promise.all(open)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});

test('one address may have twice as many connections as requests, idle ones included; other addresses are served', async () => {
  const { port } = await balancer(await echo(), { CONNECTIONS_PER_CLIENT: '5' });
  const idle = await Promise.all(Array.from({ length: 9 }, () => hold(port, ALICE)));
  expect(await statusOf({ port, localAddress: ALICE })).toBe(200);
  await waitUntil(() => isRefusedBesideAnother({ port, localAddress: ALICE }), {
    what: 'a connection beyond the cap to be closed',
  });
  expect(await statusOf({ port, localAddress: BOB })).toBe(200);
  for (const socket of idle) socket.destroy();
  await waitUntil(async () => (await statusOf({ port, localAddress: ALICE })) === 200, {
    what: 'the address to be served after it has closed connections',
  });
});

test('the connections of a trusted upstream are not limited', async () => {
  const { port } = await balancer(await echo(), { TRUSTED_UPSTREAMS: ALICE, CONNECTIONS_PER_CLIENT: '5' });
  await Promise.all(Array.from({ length: 30 }, () => hold(port, ALICE)));
  expect(await statusOf({ port, localAddress: ALICE })).toBe(200);
});

test('behind an upstream with the PROXY protocol the limit applies per client', async () => {
  const { port } = await balancer(await echo(), {
    PROXY_PROTOCOL_UPSTREAMS: '127.0.0.1',
    CONNECTIONS_PER_CLIENT: '5',
  });
  const local = Array.from({ length: 30 }, () => 'PROXY UNKNOWN\r\n');
  const others = Array.from({ length: 30 }, (_, index) => headerOf(`203.0.113.${index}`));
  await Promise.all([...local, ...others].map((header) => hold(port, '127.0.0.1', header)));
  expect(await sendRaw(port, `PROXY UNKNOWN\r\n${GET}`)).toContain('"x-forwarded-for":"127.0.0.1"');
  const crowded = headerOf('198.51.100.7');
  await waitUntil(
    async () => {
      await hold(port, '127.0.0.1', crowded);
      return (await sendRaw(port, crowded + GET)) === '';
    },
    { what: 'a connection above the limit of one client to be closed' },
  );
  expect(await sendRaw(port, headerOf('198.51.100.8') + GET)).toContain('198.51.100.8');
});

test('if HAProxy terminates TLS itself, it trusts no upstream and limits all of them', async () => {
  const settings = { TRUSTED_UPSTREAMS: `127.0.0.1 ${ALICE}`, CONNECTIONS_PER_CLIENT: '5' };
  const { front, ca } = await tlsProxy(await echo(), settings);
  const ask = { port: front.tlsPort, ca };
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  expect(forwardedFor(await send({ ...ask, headers }))).toBe('127.0.0.1');
  await waitUntil(() => isRefusedBesideAnother({ ...ask, localAddress: ALICE }), {
    what: 'a connection beyond the cap to be closed',
  });
  expect(await statusOf({ ...ask, localAddress: BOB })).toBe(200);
});

test('an idle connection is kept for at most ten seconds', () => {
  const configuration = readFileSync(join(repositoryFolder, 'infra/haproxy/haproxy.cfg'), 'utf8');
  for (const name of ['http-keep-alive', 'http-request']) {
    const [, seconds] = new RegExp(`^ +timeout ${name} (\\d+)s$`, 'm').exec(configuration) ?? [];
    expect(Number(seconds), name).toBeLessThanOrEqual(10);
  }
});

test('with a certificate it terminates TLS and redirects plain requests', async () => {
  const { front, ca } = await tlsProxy(await echo());
  expect(await send({ port: front.tlsPort, ca })).toMatchObject({
    status: 200,
    headers: { 'strict-transport-security': 'max-age=31536000' },
  });
  const redirect = await send({ port: front.port });
  expect(redirect).toMatchObject({ status: 308, headers: { location: expect.stringMatching(/^https:/) } });
});

test('each of its own error responses is a problem document with the request id', async () => {
  const nobody = await freePort();
  const { port } = await balancer(
    { port: nobody },
    { TRUSTED_UPSTREAMS: '127.0.0.1', CONNECTIONS_PER_CLIENT: '0' },
    false,
  );
  const limited = await send({ port });
  expectProblem(limited, 429, 'rate_limited');
  const open = await balancer({ port: nobody }, {}, false);
  const unavailable = await send({ port: open.port });
  expectProblem(unavailable, 503, 'service_unavailable');
  expect(unavailable.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' });
  const broken = await serve((message) => message.socket.destroy());
  expectProblem(
    await send({ port: (await balancer(broken)).port, method: 'POST' }),
    502,
    'service_unavailable',
  );
});

test('invalid requests get a problem document, or no response from a HAProxy before 3.2.4', async () => {
  const file = readFileSync(join(repositoryFolder, 'infra/haproxy/errors/400.http'), 'utf8');
  const [head = '', body = ''] = file.split('\r\n\r\n');
  expect(head).toContain('Content-Type: application/problem+json\r\n');
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}\r\n`);
  expect(problemSchema.parse(JSON.parse(body))).toMatchObject({ status: 400, code: 'validation_error' });
  const backends = [{ port: await freePort() }];
  const inTests = await startLoadBalancer({ backends });
  cleanUp.push(() => inTests.stop());
  for (const { port } of [await balancer(backends[0]!, {}, false), inTests])
    expect([file, '']).toContain(await sendRaw(port, 'NOT HTTP\r\n\r\n'));
});

const GET = 'GET / HTTP/1.1\r\nHost: pay.example\r\nConnection: close\r\n\r\n';

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; body: string };

function expectProblem({ status, headers, body }: Answer, expected: number, code: string): void {
  expect({ status, type: headers['content-type'] }).toEqual({
    status: expected,
    type: 'application/problem+json',
  });
  const problem = problemSchema.parse(JSON.parse(body));
  expect(problem).toMatchObject({ status: expected, code, request_id: headers['x-request-id'] });
  expect(problem.request_id).toMatch(/^req_[0-9a-f-]{36}$/);
}

function forwardedFor({ body }: Answer): unknown {
  return JSON.parse(body)['x-forwarded-for'];
}

/** Starts a server that returns the request's headers. */
function echo(): Promise<{ port: number }> {
  return serve(({ headers }, response) => void response.end(JSON.stringify(headers)));
}

async function serve(
  answer: (
    message: { headers: IncomingHttpHeaders; socket: { destroy(): void } },
    response: ServerResponse,
  ) => void,
): Promise<{ port: number }> {
  const server: Server = createServer((message, response) =>
    message.url === '/health/ready' ? void response.end() : answer(message, response),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(async () => server.close().closeAllConnections());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { port: address.port };
}

async function balancer(
  backend: { port: number; tlsPort?: number },
  settings: ShippedBalancerSettings = {},
  isServing = true,
): Promise<ShippedBalancer> {
  const started = await startShippedBalancer(backend, settings);
  cleanUp.push(() => started.stop());
  const { port } = backend;
  if (isServing) await waitUntil(() => isReachable(port), { what: 'the server behind the balancer' });
  return started;
}

async function isReachable(port: number): Promise<boolean> {
  const { status } = await send({ port, path: '/health/ready' });
  return status === 200;
}

/** Starts a proxy that terminates TLS and appends to X-Forwarded-For: another HAProxy. */
async function tlsProxy(
  behind: { port: number },
  settings: ShippedBalancerSettings = {},
): Promise<{ front: ShippedBalancer; ca: string }> {
  const folder = temporaryFolder('tls');
  const authority = await createCertificateAuthority(folder);
  const { certificate, privateKey } = await authority.issue();
  const file = join(folder, 'tls.pem');
  writeFileSync(file, `${certificate}\n${privateKey}\n`, { mode: 0o600 });
  const front = await balancer({ port: behind.port }, { ...settings, TLS_CERTIFICATE: file }, false);
  const ca = authority.caPem;
  return { front, ca };
}

type SendOptions = {
  port: number;
  ca?: string;
  localAddress?: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
};

/** Sends one request on a new connection. */
async function send({ port, ca, ...options }: SendOptions): Promise<Answer> {
  const all = { host: '127.0.0.1', port, agent: false as const, ...options };
  const sent = ca === undefined ? request(all) : requestTls({ ...all, ca });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** The PROXY protocol header for a connection of this client. */
function headerOf(client: string): string {
  return `PROXY TCP4 ${client} 192.0.2.1 40000 80\r\n`;
}

/** The status of the response; undefined if the connection was closed without one. */
async function statusOf(options: SendOptions): Promise<number | undefined> {
  try {
    return (await send(options)).status;
  } catch (error) {
    if (isClosed(error)) return undefined;
    throw error;
  }
}

/** Opens one more idle connection from the address. Returns whether the next one is closed without a response. */
async function isRefusedBesideAnother(options: SendOptions & { localAddress: string }): Promise<boolean> {
  await hold(options.port, options.localAddress);
  return (await statusOf(options)) === undefined;
}

/** Opens a connection, sends these bytes, and keeps it open until the balancer closes it or the test ends. */
async function hold(port: number, localAddress: string, bytes = ''): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  cleanUp.push(async () => void socket.destroy());
  await once(socket, 'connect');
  socket.on('error', (error) => {
    if (!isClosed(error)) throw error;
  });
  if (bytes !== '') socket.write(bytes);
  return socket.resume();
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ECONNRESET', 'EPIPE'].includes(String(error.code));
}

/** The response to these bytes; empty if the connection was closed without one. */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  try {
    return await text(socket);
  } catch (error) {
    if (isClosed(error)) return '';
    throw error;
  }
}
