import { afterEach, expect, test } from 'vitest';
import { startAdminServer, type AdminServer } from '../src/health/admin-server.ts';
import { createRegistry, Gauge } from '../src/observability/metrics.ts';

let server: AdminServer | undefined;
afterEach(() => server?.close());

async function start(
  checks: Record<string, () => Promise<void>>,
): Promise<(path: string) => Promise<Response>> {
  const started = await startAdminServer({
    port: 0,
    host: '127.0.0.1',
    registry: createRegistry('t'),
    checks,
  });
  server = started;
  return (path) => fetch(`http://127.0.0.1:${started.port}${path}`);
}

test('readiness names the failed dependency, and liveness stays 200', async () => {
  const get = await start({ good: async () => {}, bad: () => Promise.reject(new Error('refused')) });
  const ready = await get('/health/ready');
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({ status: 'unavailable', checks: { good: 'ok', bad: 'refused' } });
  expect((await get('/health/live')).status).toBe(200);
});

test('a draining process is not ready', async () => {
  const get = await start({});
  expect((await get('/health/ready')).status).toBe(200);
  server?.drain();
  expect((await get('/health/ready')).status).toBe(503);
});

test('metrics are served in the Prometheus format', async () => {
  const get = await start({});
  expect(await (await get('/metrics')).text()).toContain('nodejs_eventloop_lag_seconds');
});

test('a failing gauge fails the scrape, not the process', async () => {
  const registry = createRegistry('t');
  const broken = new Gauge({
    name: 'broken',
    help: 'Broken.',
    registers: [registry],
    collect: () => Promise.reject(new Error('no value')),
  });
  broken.set(1);
  const admin = await startAdminServer({ port: 0, host: '127.0.0.1', registry, checks: {} });
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${admin.port}${path}`)).status;
  expect(await ask('/metrics')).toBe(500);
  expect(await ask('/health/live')).toBe(200);
  await admin.close();
});

test('a degraded process stays ready and names the unavailable server with the reason', async () => {
  const admin = await startAdminServer({
    port: 0,
    host: '127.0.0.1',
    registry: createRegistry('t'),
    checks: { good: async () => {} },
    degradations: () => ({ REDIS_URL: 'unavailable: no answer' }),
  });
  const ready = await fetch(`http://127.0.0.1:${admin.port}/health/ready`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toEqual({
    status: 'degraded',
    checks: { good: 'ok' },
    degradations: { REDIS_URL: 'unavailable: no answer' },
  });
  await admin.close();
});
