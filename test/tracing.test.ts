import { freePort, startPostgres, startRedis, startServer } from '@paywatch/dev/servers';
import { repositoryFolder } from '@paywatch/dev/stack';
import { temporaryFolder, waitUntil } from '@paywatch/dev/testing';
import { openStore } from '@paywatch/store';
import { byOperator, registerAccount } from '@paywatch/store/accounts';
import { migrate } from '@paywatch/store/postgres';
import { insertEvent, setWebhookEndpoint } from '@paywatch/store/webhooks';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  isOfRequest,
  startTraceCollector,
  type Span,
  type TraceCollector,
} from './support/trace-collector.ts';

/** Starts one role like the image, with tracing, on its own migrated database. */
async function startTraced(parts: AsyncDisposableStack, role: string) {
  const [postgres, redis, collector] = await Promise.all([
    startPostgres(),
    startRedis(),
    startTraceCollector(parts),
  ]);
  parts.defer(() => postgres.stop());
  parts.defer(() => redis.stop());
  const databaseUrl = await postgres.createDatabase();
  await migrate(databaseUrl);
  const [port, adminPort] = [await freePort(), await freePort()];
  const server = await startServer({
    name: role,
    command: process.execPath,
    args: [join(repositoryFolder, 'infra/image/start.mjs'), role],
    env: {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      PUBLIC_URL: 'https://pay.example',
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32).toString('base64')}`,
      PORT: String(port),
      HOST: '127.0.0.1',
      ADMIN_PORT: String(adminPort),
      DRAIN_SECONDS: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
    logFile: join(temporaryFolder('tracing'), `${role}.log`),
  });
  parts.defer(() => server.stop());
  const isReady = async () => (await fetch(`http://127.0.0.1:${adminPort}/health/ready`)).ok;
  await waitUntil(isReady, { what: role });
  return { port, collector, databaseUrl, redisUrl: redis.url };
}

describe('a request', () => {
  const parts = new AsyncDisposableStack();
  let port: number;
  let collector: TraceCollector;
  beforeAll(async () => {
    ({ port, collector } = await startTraced(parts, 'api'));
  });
  afterAll(() => parts.disposeAsync());

  async function request(): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${port}/v1/public/donate/unknown`);
    return response.headers.get('x-request-id') ?? '';
  }

  test('is one trace from the API to Redis with the response’s request id, and contains no secret', async () => {
    const canary = 'cAnArY7cAnArY7cAnArY7';
    const response = await fetch(`http://127.0.0.1:${port}/v1/public/donate/${canary}?canary=${canary}`, {
      headers: { 'x-api-key': canary, authorization: `Bearer ${canary}`, 'user-agent': canary },
    });
    const requestId = response.headers.get('x-request-id') ?? '';
    const root = await spanOfRequest(collector, requestId);
    expect(root.name).toBe('getDonationLink');
    expect(childrenOf(collector, root).map(({ traceId }) => traceId)).toContain(root.traceId);
    expect(collector.raw.join('')).not.toContain(canary);
  });

  test('has its own Redis commands in its trace, also among many concurrent ones', async () => {
    await request();
    const requestIds = await Promise.all(Array.from({ length: 20 }, request));
    const roots = await Promise.all(requestIds.map((requestId) => spanOfRequest(collector, requestId)));
    const counts = roots.map((root) => childrenOf(collector, root).length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(new Set(counts).size).toBe(1);
  });
});

function spanOfRequest(collector: TraceCollector, requestId: string): Promise<Span> {
  return waitUntil(() => collector.spans.find(isOfRequest(requestId)), { what: 'the span of the request' });
}

function childrenOf({ spans }: TraceCollector, root: Span): Span[] {
  return spans.filter(({ parentSpanId }) => parentSpanId === root.spanId);
}

test('a delivery is one trace from the relay through the queue to the worker', async () => {
  await using parts = new AsyncDisposableStack();
  const { collector, databaseUrl, redisUrl } = await startTraced(parts, 'webhook-worker');
  const store = openStore({
    databaseUrl,
    redisUrl,
    redisPrefix: 'pw',
    role: 'worker',
    applicationName: 'test',
    onRedisError: () => undefined,
  });
  parts.defer(store.close);
  const tokens = { donateToken: 'donate-cAnArY7', overlayToken: 'overlay-cAnArY7' };
  await registerAccount(store, { email: 'a@example.com', passwordHash: 'none', trialDays: 1, ...tokens });
  const [project] = await store.sql<{ id: bigint }[]>`select id from projects`;
  const projectId = project?.id ?? 0n;
  const secretSealed = Buffer.alloc(80);
  await setWebhookEndpoint(store, byOperator, { projectId, url: 'https://cAnArY7.example/', secretSealed });
  const event = { publicId: 'evt_1', type: 'invoice.confirmed', txid: null, body: '{"cAnArY7":1}' };
  await insertEvent(store.sql, { ...event, projectId, invoiceId: null });
  const named = (word: string) => collector.spans.filter(({ name }) => name.includes(word));
  await waitUntil(() => named('process').length > 0 && named('add').length > 0, {
    what: 'spans of the queue',
  });
  const added = new Set(named('add').map(({ traceId }) => traceId));
  expect(named('process').every(({ traceId }) => added.has(traceId))).toBe(true);
  expect(collector.raw.join('')).not.toContain('cAnArY7');
});
