import { startAdminServer, type AdminServer } from '@paywatch/runtime/health';
import { createRegistry } from '@paywatch/runtime/observability';
import { createQueue, openQueueBoard, type QueueBoard } from '@paywatch/store/queues';

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestBench } from './support/worker.ts';

const password = 'only for operators';
const { store, close } = await openTestBench();
let board: QueueBoard;
let admin: AdminServer;
beforeAll(async () => {
  board = openQueueBoard(store, { path: '/queues', shards: 2 });
  admin = await startAdminServer({
    port: 0,
    host: '127.0.0.1',
    registry: createRegistry('test'),
    checks: {},
    pages: { path: '/queues', password, handle: board.handle },
  });
});
afterAll(async () => {
  await admin.close();
  await board.close();
  await close();
});

const ask = (path: string, options: { method?: string; password?: string } = {}) =>
  fetch(`http://127.0.0.1:${admin.port}${path}`, {
    method: options.method ?? 'GET',
    headers:
      options.password === undefined
        ? {}
        : { authorization: `Basic ${Buffer.from(`operator:${options.password}`).toString('base64')}` },
  });

test('the queue dashboard is not served without the password', async () => {
  for (const path of ['/queues', '/queues/api/queues', '/queues/static/x', '/queuesx'])
    for (const given of [undefined, '', 'wrong', `${password}x`])
      expect((await ask(path, given === undefined ? {} : { password: given })).status).toBe(401);
  expect((await ask('/health/live')).status).toBe(200);
});

test('the dashboard shows every queue and its jobs, and can change none', async () => {
  const queue = createQueue(store.queueRedis, store.keys, 'webhook-deliveries', 1);
  await queue.add('attempt', { deliveryId: '7', projectId: '1' }, { jobId: '7-0' });
  expect(await (await ask('/queues', { password })).text()).toContain('<html');
  const answer = await ask('/queues/api/queues', { password });
  const { queues } = (await answer.json()) as { queues: { name: string; counts: { waiting: number } }[] };
  expect(queues.map(({ name }) => name).toSorted()).toEqual([
    '0 address-derivations',
    '0 chain-blocks',
    '0 mails',
    '0 pool-histories',
    '0 pool-refills',
    '0 webhook-deliveries',
    '1 webhook-deliveries',
  ]);
  expect(queues.find(({ name }) => name === '1 webhook-deliveries')?.counts.waiting).toBe(1);
  const name = encodeURIComponent('1 webhook-deliveries');
  for (const change of [
    '7-0/clean',
    '7-0/promote',
    'pause',
    'empty',
    'add',
    'obliterate',
    'clean/completed',
  ]) {
    const { status } = await ask(`/queues/api/queues/${name}/${change}`, { method: 'PUT', password });
    expect(status, change).toBeGreaterThanOrEqual(400);
  }
  expect(await queue.getWaitingCount()).toBe(1);
  await queue.close();
});
