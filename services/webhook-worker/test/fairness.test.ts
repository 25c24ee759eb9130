import { HANG_TIMEOUT_MS, waitUntil } from '@paywatch/dev/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShopBench, type Shop, type ShopBench } from './support/shop.ts';

let bench: ShopBench;

beforeAll(async () => {
  bench = await openShopBench({ concurrency: 24, endpointConcurrency: 4, deadlineMs: HANG_TIMEOUT_MS });
  await bench.startWorker();
});
afterAll(() => bench.close());

async function openHangingShop(): Promise<Shop> {
  const shop = await bench.openShop();
  shop.receiver.always({ status: 200, delayMs: 2 * HANG_TIMEOUT_MS });
  return shop;
}

test('endpoints that hang do not delay the events of a healthy endpoint, even when they are more than half of the slots', async () => {
  const hanging = await Promise.all(Array.from({ length: 16 }, openHangingShop));
  for (const shop of hanging) for (let count = 0; count < 10; count += 1) await shop.cause();
  await waitUntil(() => hanging.filter(({ receiver }) => receiver.received.length > 0).length >= 12, {
    what: 'hanging attempts',
  });

  const healthy = await bench.openShop();
  const events = await Promise.all(Array.from({ length: 100 }, () => healthy.cause()));
  for (const { id } of events)
    expect(await healthy.afterAttempts(id, 1)).toMatchObject({ status: 'delivered' });
  expect(healthy.receiver.received).toHaveLength(100);
  for (const { receiver } of hanging) expect(receiver.received.length).toBeLessThanOrEqual(4);
  await Promise.all(hanging.map(({ receiver }) => receiver.stop()));
});

test('an endpoint gets at most its limit of attempts in flight, and its whole backlog is delivered', async () => {
  const shop = await bench.openShop();
  let most = 0;
  let open = 0;
  shop.receiver.always({ status: 200, delayMs: 30 });
  shop.receiver.subscribe(() => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => (open -= 1), 30);
  });
  const events = await Promise.all(Array.from({ length: 150 }, () => shop.cause()));
  for (const { id } of events) expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered' });
  expect(most).toBeLessThanOrEqual(4);
  expect(most).toBeGreaterThan(1);
  expect(shop.receiver.received).toHaveLength(150);
});
