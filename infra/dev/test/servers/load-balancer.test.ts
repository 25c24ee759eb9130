import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../src/servers/free-port.ts';
import { startLoadBalancer, type LoadBalancer } from '../../src/servers/load-balancer.ts';
import { findProgram } from '../../src/servers/server-process.ts';
import { repositoryFolder } from '../../src/stack/processes.ts';
import { waitUntil } from '../../src/testing/wait-until.ts';

let servers: Server[] = [];
let balancer: LoadBalancer;
afterEach(async () => {
  await balancer.stop();
  for (const server of servers) server.close().closeAllConnections();
  servers = [];
});

test('spreads requests over the healthy replicas and forwards the client address', async () => {
  const backends = [
    await replica((request, response) => response.end(`one ${String(request.headers['x-forwarded-for'])}`)),
    await replica((request, response) => response.end(`two ${String(request.headers['x-forwarded-for'])}`)),
    await replica((_, response) => response.writeHead(503).end()),
  ];
  balancer = await startLoadBalancer({ backends, healthPath: '/health/ready' });
  await waitUntil(async () => (await answers(20)).every((text) => text !== ''), {
    what: 'the third replica to be removed',
  });
  expect(new Set(await answers(20))).toEqual(new Set(['one 127.0.0.1', 'two 127.0.0.1']));
});

test('no request is lost when a replica is down, not even a POST', async () => {
  const [one, other] = [
    await replica((_, response) => response.end('one')),
    await replica((_, response) => response.end('two')),
  ];
  balancer = await startLoadBalancer({ backends: [one, other] });
  servers[0]?.close().closeAllConnections();
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await fetch(balancer.url, { method: 'POST', body: 'x' })).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('forwards every event of a stream at once', async () => {
  const streams: ServerResponse[] = [];
  const backend = await replica((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 0\n\n');
    streams.push(response);
  });
  balancer = await startLoadBalancer({ backends: [backend], healthPath: '/health/ready' });
  const received: string[] = [];
  for await (const chunk of (await fetch(balancer.url)).body ?? []) {
    received.push(Buffer.from(chunk).toString());
    if (received.length === 10) break;
    streams[0]?.write(`data: ${received.length}\n\n`);
  }
  expect(received).toEqual(Array.from({ length: 10 }, (_, index) => `data: ${index}\n\n`));
});

test('a replica whose event loop is blocked for five seconds stays in use: its requests wait, and none fails', async () => {
  const program = join(repositoryFolder, 'packages/runtime/test/support/stalling-process.ts');
  const child = fork(program);
  try {
    const [backend] = (await once(child, 'message')) as [{ port: number; healthPort: number }];
    balancer = await startLoadBalancer({ backends: [backend] });
    await waitUntil(async () => (await fetch(balancer.url)).ok, { what: 'the replica' });
    const stall = { isOver: false };
    child.on('message', (said) => (stall.isOver ||= said === 'over'));
    child.send(5000);
    await once(child, 'message');
    const asked: Promise<number>[] = [];
    while (!stall.isOver) {
      asked.push(fetch(balancer.url).then(({ status }) => status));
      await sleep(250);
    }
    expect(asked.length).toBeGreaterThan(4);
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
  } finally {
    child.kill('SIGKILL');
  }
});

test('if no replica is ready, requests and streams are sent nevertheless', async () => {
  let probes = 0;
  const backend = await replica((request, response) => {
    const isProbe = request.url === '/health/none';
    if (isProbe) probes += 1;
    response.writeHead(isProbe ? 503 : 200).end();
  });
  balancer = await startLoadBalancer({ backends: [backend], healthPath: '/health/none' });
  // Four failed checks mark it as down.
  await waitUntil(() => probes > 5, { what: 'the replica to be marked as down' });
  for (const path of ['/v1/invoices', '/v1/public/invoices/inv_1/events'])
    expect((await fetch(`${balancer.url}${path}`)).status).toBe(200);
});

test('the shipped configuration is valid and tolerates five seconds without a response', () => {
  const path = join(repositoryFolder, 'infra/haproxy/haproxy.cfg');
  const { status, stderr } = spawnSync(findProgram('haproxy') ?? 'haproxy', ['-c', '-f', path], {
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  const configuration = readFileSync(path, 'utf8');
  const checks = [...configuration.matchAll(/ check .*\bfall (\d+)/g)].map(([, fall]) => Number(fall));
  const waits = [...configuration.matchAll(/timeout check (\d+)s/g)].map(([, seconds]) => Number(seconds));
  expect(waits).toHaveLength(checks.length);
  for (const [index, fall] of checks.entries()) expect(fall * (waits[index] ?? 0)).toBeGreaterThan(5);
});

async function replica(listener: RequestListener): Promise<{ port: number }> {
  const port = await freePort();
  const server = createServer((request, response) =>
    request.url === '/health/ready' && !isUnhealthy(listener)
      ? response.end('ok')
      : listener(request, response),
  );
  servers.push(server.listen(port, '127.0.0.1'));
  await once(server, 'listening');
  return { port };
}

/** A replica that responds with 503 to everything, including the health check. */
function isUnhealthy(listener: RequestListener): boolean {
  return listener.toString().includes('503');
}

async function answers(count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, async () => (await fetch(balancer.url)).text()));
}
