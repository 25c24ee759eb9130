import { verifyWebhook } from '@paywatch/client';
import { byOperator } from '@paywatch/store/accounts';
import { getEvent, redeliverEvent } from '@paywatch/store/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShopBench, type Shop, type ShopBench } from './support/shop.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let bench: ShopBench;

beforeAll(async () => {
  bench = await openShopBench();
  await bench.startWorker({}, bench.clock);
});
afterAll(() => bench.close());

test('failed attempts follow the schedule until the end of day 7; each is signed anew over the same bytes', async () => {
  const shop = await bench.openShop();
  shop.receiver.always({ status: 500, body: 'out of order' });
  const { id, body } = await shop.cause();
  await shop.afterAttempts(id, 1);

  let elapsedMs = 0;
  let attempts = 2; // The first retry is immediate.
  for (const delayMs of [5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR]) {
    const delivery = await shop.afterAttempts(id, attempts++);
    expectDue(delivery.dueInMs, delayMs);
    await shop.letTimePass(delivery.dueInMs ?? 0);
    elapsedMs += delivery.dueInMs ?? 0;
  }
  let delivery = await shop.afterAttempts(id, attempts++);
  while (delivery.status === 'pending') {
    expectDue(delivery.dueInMs, 12 * HOUR, 7 * 24 * HOUR - elapsedMs);
    await shop.letTimePass(delivery.dueInMs ?? 0);
    elapsedMs += delivery.dueInMs ?? 0;
    delivery = await shop.afterAttempts(id, attempts++);
  }

  expect(delivery).toMatchObject({
    status: 'failed',
    dueInMs: null,
    attempts: shop.receiver.received.length,
  });
  expect(elapsedMs).toBeGreaterThan(6.4 * 24 * HOUR);
  expect(elapsedMs).toBeLessThanOrEqual(7 * 24 * HOUR);
  await expectSigned(shop, body);
});

function expectDue(dueInMs: number | null, delayMs: number, remainingMs = Number.POSITIVE_INFINITY): void {
  // The delay counts from the end of the attempt, a moment ago. Jitter adds up to a tenth, never beyond day 7.
  expect(dueInMs).toBeGreaterThan(delayMs - 2000);
  expect(dueInMs).toBeLessThanOrEqual(Math.min(delayMs * 1.1, remainingMs + 2000));
}

async function expectSigned({ receiver, secret }: Shop, body: string): Promise<void> {
  const times = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
  expect(new Set(receiver.received.map((request) => request.rawBody))).toEqual(new Set([body]));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  for (const [position, { headers, rawBody }] of receiver.received.entries()) {
    const nowMs = (times[position] ?? 0) * 1000;
    await verifyWebhook(rawBody, String(headers['x-signature']), secret, { nowMs });
  }
}

test('a success ends the schedule', async () => {
  const shop = await bench.openShop();
  shop.receiver.script({ status: 500 }, { hangUp: true });
  const { id } = await shop.cause();
  await shop.afterAttempts(id, 2);
  await shop.letTimePass(6 * MINUTE);
  expect(await shop.afterAttempts(id, 3)).toMatchObject({ status: 'delivered', attempts: 3, dueInMs: null });
});

test.for([
  { status: 429, header: '1800', expectedMs: 30 * MINUTE },
  { status: 503, header: '999999', expectedMs: 12 * HOUR },
  { status: 503, header: '9'.repeat(400), expectedMs: 12 * HOUR },
  { status: 429, header: '-1800', expectedMs: 5 * MINUTE },
  { status: 429, header: '0', expectedMs: 5 * MINUTE },
  { status: 503, header: '1e9', expectedMs: 5 * MINUTE },
  { status: 503, header: 'soon', expectedMs: 5 * MINUTE },
  { status: 503, header: 'Fri, 01 Jan 9999 00:00:00 GMT', expectedMs: 12 * HOUR },
  { status: 503, header: 'Thu, 01 Jan 1970 00:00:00 GMT', expectedMs: 5 * MINUTE },
  { status: 500, header: '1800', expectedMs: 5 * MINUTE },
])(
  'Retry-After $header with status $status delays the retry by $expectedMs ms',
  async ({ status, header, expectedMs }) => {
    const shop = await bench.openShop();
    shop.receiver.always({ status, headers: { 'retry-after': header } });
    const { id } = await shop.cause();
    const first = await shop.afterAttempts(id, 1);
    // Without a valid Retry-After the first retry is immediate and may be recorded already.
    const delivery = (first.dueInMs ?? 0) > MINUTE ? first : await shop.afterAttempts(id, 2);
    expectDue(delivery.dueInMs, expectedMs);
  },
);

test('Retry-After with a date delays the retry until then', async () => {
  const shop = await bench.openShop();
  const date = new Date(bench.clock.nowMs() + HOUR);
  shop.receiver.always({ status: 503, headers: { 'retry-after': date.toUTCString() } });
  const { id } = await shop.cause();
  expectDue((await shop.afterAttempts(id, 1)).dueInMs, HOUR);
});

test('a Retry-After beyond day 7 ends the schedule', async () => {
  const shop = await bench.openShop();
  shop.receiver.always({ status: 500 });
  const { id } = await shop.cause();
  await shop.afterAttempts(id, 2);
  await shop.letTimePass(7 * 24 * HOUR - HOUR);
  shop.receiver.always({ status: 429, headers: { 'retry-after': String((2 * HOUR) / 1000) } });
  expect(await shop.afterAttempts(id, 3)).toMatchObject({ status: 'failed', attempts: 3, dueInMs: null });
});

test('a redelivery restarts the schedule and continues the numbers of the attempts', async () => {
  const shop = await bench.openShop();
  const { id } = await shop.cause();
  expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered' });
  await shop.letTimePass(8 * 24 * HOUR);
  shop.receiver.script({ status: 500 }, { status: 500 });

  expect(await redeliverEvent(bench.store, byOperator, shop.projectId, id)).toBe('scheduled');

  const delivery = await shop.afterAttempts(id, 3);
  expect(delivery).toMatchObject({ status: 'pending', failures: 2, attempts: 3 });
  expectDue(delivery.dueInMs, 5 * MINUTE);
  const event = await getEvent(bench.store, shop.projectId, id);
  expect(event?.attempts.map(({ number, httpStatus }) => [number, httpStatus])).toEqual([
    [1, 200],
    [2, 500],
    [3, 500],
  ]);
});

test('410 disables the endpoint; waiting deliveries are sent when it is set again', async () => {
  const shop = await bench.openShop();
  shop.receiver.script({ status: 410 });
  const first = await shop.cause();
  await shop.afterAttempts(first.id, 1);
  const second = await shop.cause();
  await shop.whenParked(second.id);
  expect(shop.receiver.received).toHaveLength(1);
  await shop.whenEndpointIs('disabled');
  expect(await redeliverEvent(bench.store, byOperator, shop.projectId, first.id)).toBe('endpoint_disabled');

  await shop.setEndpointAgain();

  expect(await shop.afterAttempts(first.id, 2)).toMatchObject({ status: 'delivered' });
  expect(await shop.afterAttempts(second.id, 1)).toMatchObject({ status: 'delivered' });
  expect(await shop.whenEndpointIs('healthy')).toMatchObject({ failingSince: null });
});

test('a delivery that waits for a disabled endpoint fails when its schedule ends', async () => {
  const shop = await bench.openShop();
  shop.receiver.script({ status: 410 });
  const { id } = await shop.cause();
  await shop.afterAttempts(id, 1);
  await shop.letTimePass(7 * 24 * HOUR + MINUTE);
  expect(await shop.afterAttempts(id, 99)).toMatchObject({ status: 'failed', attempts: 1 });
});

test('an endpoint is failing from its first failed attempt until the next success', async () => {
  const shop = await bench.openShop();
  shop.receiver.script({ status: 500 }, { status: 500 });
  const { id } = await shop.cause();
  await shop.afterAttempts(id, 2);
  expect((await shop.whenEndpointIs('failing')).failingSince).toBeInstanceOf(Date);
  await shop.letTimePass(6 * MINUTE);
  await shop.afterAttempts(id, 3);
  expect(await shop.whenEndpointIs('healthy')).toMatchObject({ failingSince: null });
});
