import { verifyWebhook } from '@paywatch/client';
import { startReceiver, type Receiver } from '@paywatch/dev/stack';
import { HANG_TIMEOUT_MS, waitUntil } from '@paywatch/dev/testing';
import { byOperator } from '@paywatch/store/accounts';
import {
  createEndpoint,
  changeEndpoint,
  deleteEndpoint,
  findEndpoint,
  getEvent,
  type EndpointOverview,
} from '@paywatch/store/webhooks';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { given } from './support/given.ts';
import { openShopBench, type Shop, type ShopBench } from './support/shop.ts';

let bench: ShopBench;
const receivers: Receiver[] = [];

beforeAll(async () => {
  bench = await openShopBench({ concurrency: 8, endpointConcurrency: 4, deadlineMs: HANG_TIMEOUT_MS });
  await bench.startWorker();
});
afterAll(async () => {
  await bench.close();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

type Further = { receiver: Receiver; secret: string; endpoint: EndpointOverview; publicId: string };

/** Adds a further endpoint with its own receiver and secret. */
async function addEndpoint({ projectId }: Shop): Promise<Further> {
  const receiver = await startReceiver({ certificate: bench.certificate });
  receivers.push(receiver);
  receiver.always({ status: 200 });
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  receiver.setSecrets(secret);
  const publicId = `we_${randomBytes(8).toString('hex')}`;
  const endpoint = given(
    await createEndpoint(bench.store, byOperator, {
      projectId,
      publicId,
      url: receiver.url,
      description: '',
      eventTypes: null,
      seal: (place) => bench.sealer.seal(secret, place),
    }),
  );
  return { receiver, secret, endpoint, publicId };
}

/** The delivery of an event to an endpoint, once it has this status. */
function whenDelivery({ projectId }: Shop, eventId: string, publicId: string, status: string) {
  return waitUntil(
    async () => {
      const event = await getEvent(bench.store, projectId, eventId);
      const delivery = event?.deliveries.find(({ endpointPublicId }) => endpointPublicId === publicId);
      return delivery?.status === status && delivery;
    },
    { what: `a delivery that is ${status}`, everyMs: 20 },
  );
}

/** Until the first attempt and the retry that follows at once are recorded: the next one is minutes later. */
function whenRetried({ projectId }: Shop, { endpoint }: Further) {
  return waitUntil(
    async () => {
      const [row] = await bench.store.sql<{ isRetried: boolean }[]>`
        select attempts >= 2 and claimed_until is null as "isRetried" from deliveries
        where project_id = ${projectId} and endpoint_id = ${-endpoint.key}`;
      return row?.isRetried;
    },
    { what: 'the first retry', everyMs: 20 },
  );
}

const overview = async ({ projectId }: Shop, { publicId }: Further) =>
  given(await findEndpoint(bench.store, projectId, publicId));

test('every endpoint gets the same bytes under the same id, signed with its own secret', async () => {
  const shop = await bench.openShop();
  const further = await addEndpoint(shop);
  const { id, body } = await shop.cause();
  await shop.afterAttempts(id, 1);
  await whenDelivery(shop, id, further.publicId, 'delivered');
  for (const { receiver, secret } of [shop, further]) {
    const [request] = receiver.received;
    expect(request?.rawBody).toBe(body);
    expect(request?.headers['webhook-id']).toBe(id);
    await verifyWebhook(request?.rawBody ?? '', String(request?.headers['x-signature']), secret);
  }
  expect([shop.receiver.received.length, further.receiver.received.length]).toEqual([1, 1]);
});

test('an endpoint that fails is retried by itself, and only it is failing', async () => {
  const shop = await bench.openShop();
  const further = await addEndpoint(shop);
  further.receiver.always({ status: 500 });
  const { id } = await shop.cause();
  expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered', attempts: 1 });
  const failing = await waitUntil(
    async () => {
      const shown = await overview(shop, further);
      return shown.status === 'failing' && shown.lastError !== null && shown;
    },
    { what: 'a failing endpoint', everyMs: 20 },
  );
  expect(failing.lastError).toBe('answered 500');
  await shop.whenEndpointIs('healthy');
  await whenRetried(shop, further);
  further.receiver.always({ status: 200 });
  await shop.letTimePass(6 * 60_000);
  await whenDelivery(shop, id, further.publicId, 'delivered');
  expect(shop.receiver.received).toHaveLength(1);
});

test('an endpoint that hangs does not delay another one of the same project', async () => {
  const shop = await bench.openShop();
  const further = await addEndpoint(shop);
  further.receiver.always({ status: 200, delayMs: 2 * HANG_TIMEOUT_MS });
  const events = await Promise.all(Array.from({ length: 40 }, () => shop.cause()));
  for (const { id } of events) expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered' });
  expect(shop.receiver.received).toHaveLength(40);
  await further.receiver.stop();
});

test('a disabled endpoint gets what waited for it when it is enabled', async () => {
  const shop = await bench.openShop();
  const further = await addEndpoint(shop);
  const name = { projectId: shop.projectId, publicId: further.publicId };
  await changeEndpoint(bench.store, byOperator, name, { isDisabled: true });
  const { id } = await shop.cause();
  await shop.afterAttempts(id, 1);
  expect(further.receiver.received).toHaveLength(0);
  await changeEndpoint(bench.store, byOperator, name, { isDisabled: false });
  await whenDelivery(shop, id, further.publicId, 'delivered');
  expect(further.receiver.received).toHaveLength(1);
});

test('a deleted endpoint gets nothing more: what waited for it fails, and the others go on', async () => {
  const shop = await bench.openShop();
  const further = await addEndpoint(shop);
  further.receiver.always({ status: 500 });
  const { id } = await shop.cause();
  await whenRetried(shop, further);
  await deleteEndpoint(bench.store, byOperator, { projectId: shop.projectId, publicId: further.publicId });
  const sent = further.receiver.received.length;
  await shop.letTimePass(24 * 3_600_000);
  const failed = await waitUntil(
    async () => {
      const event = await getEvent(bench.store, shop.projectId, id);
      return event?.deliveries.find(({ status }) => status === 'failed');
    },
    { what: 'a failed delivery', everyMs: 20 },
  );
  expect(failed.endpointPublicId).toBeNull();
  expect(further.receiver.received).toHaveLength(sent);
  const { id: next } = await shop.cause();
  expect(await shop.afterAttempts(next, 1)).toMatchObject({ status: 'delivered' });
  expect((await getEvent(bench.store, shop.projectId, next))?.deliveries).toHaveLength(1);
});
