import { startRedis, type Redis } from '@paywatch/dev/servers';
import { waitUntil } from '@paywatch/dev/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRedis, type RedisClient } from '../../src/redis/client.ts';
import { createKeys } from '../../src/redis/keys.ts';
import { publishInvoicesChanged } from '../../src/redis/pubsub/publish.ts';
import { Subscriber } from '../../src/redis/pubsub/subscriber.ts';

let server: Redis;
let redis: RedisClient;
let subscriber: Subscriber;
let reconnections = 0;

beforeAll(async () => {
  server = await startRedis({ own: true });
  redis = connectRedis(server.url, 'api', () => undefined);
  subscriber = new Subscriber(
    { redis },
    () => (reconnections += 1),
    () => undefined,
  );
  // Publishes nothing until then; the subscriber may be faster.
  await waitUntil(async () => redis.status === 'ready', { what: 'the publisher' });
});
afterAll(async () => {
  subscriber.close();
  redis.disconnect();
  await server.stop();
});

test('a listener receives every publication from the time its subscription is ready until it closes', async () => {
  let received = 0;
  const subscription = subscriber.listen('one', () => void (received += 1));
  await subscription.ready;
  await redis.publish('one', '1');
  await waitUntil(async () => received === 1, { what: 'the first publication' });
  subscription.close();
  await untilSubscribers('one', 0);
  await redis.publish('one', '1');
  expect(received).toBe(1);
});

test('450 invoices that change at once are all published, once each', async () => {
  const keys = createKeys('bulk');
  const changed = Array.from({ length: 450 }, (_, i) => ({ publicId: `inv_${i}`, version: i + 1 }));
  const received = new Map<string, string[]>();
  const subscriptions = changed.map(({ publicId }) => {
    const add = (message: string) =>
      void received.set(publicId, [...(received.get(publicId) ?? []), message]);
    return subscriber.listen(keys.invoiceChannel(publicId), add);
  });
  await Promise.all(subscriptions.map(({ ready }) => ready));
  await publishInvoicesChanged({ redis, keys }, changed);
  await waitUntil(async () => received.size === changed.length, { what: 'all publications' });
  for (const { publicId, version } of changed) expect(received.get(publicId)).toEqual([String(version)]);
  for (const subscription of subscriptions) subscription.close();
});

test('a channel is subscribed once for all listeners, and unsubscribed after the last one', async () => {
  const [first, second] = [
    subscriber.listen('two', () => undefined),
    subscriber.listen('two', () => undefined),
  ];
  await Promise.all([first.ready, second.ready]);
  expect(await subscribersOf('two')).toBe(1);
  first.close();
  first.close();
  expect(await subscribersOf('two')).toBe(1);
  second.close();
  await untilSubscribers('two', 0);
  expect(subscriber.channelCount).toBe(0);
});

test('a channel unsubscribed and subscribed in the same turn stays subscribed', async () => {
  subscriber.listen('three', () => undefined).close();
  const subscription = subscriber.listen('three', () => undefined);
  await subscription.ready;
  subscription.close();
  const again = subscriber.listen('three', () => undefined);
  await again.ready;
  expect(await subscribersOf('three')).toBe(1);
  again.close();
});

test('5,000 channels are subscribed and unsubscribed without leftovers', async () => {
  const held = Array.from({ length: 5000 }, (_, i) => subscriber.listen(`many-${i}`, () => undefined));
  await Promise.all(held.map((subscription) => subscription.ready));
  expect(await redis.pubsub('CHANNELS', 'many-*')).toHaveLength(5000);
  for (const subscription of held) subscription.close();
  await waitUntil(async () => (await redis.pubsub('CHANNELS', 'many-*')).length === 0, {
    what: 'no channel left',
  });
});

test('after an outage it subscribes again and reports that everything must be read', async () => {
  let received = 0;
  const subscription = subscriber.listen('four', () => void (received += 1));
  await subscription.ready;
  const before = reconnections;
  await server.kill();
  const later = subscriber.listen('five', () => void (received += 1));
  await server.restart();
  await waitUntil(async () => reconnections > before, { what: 'the reconnection' });
  await later.ready;
  await waitUntil(async () => redis.status === 'ready', { what: 'the publisher' });
  await redis.publish('four', '1');
  await redis.publish('five', '1');
  await waitUntil(async () => received === 2, { what: 'both publications' });
  expect(reconnections).toBe(before + 1);
  subscription.close();
  later.close();
});

test('a connection that no longer answers is replaced within seconds', async () => {
  let received = 0;
  const subscription = subscriber.listen('six', () => void (received += 1));
  await subscription.ready;
  const before = reconnections;
  await redis.call('CLIENT', 'PAUSE', '7000', 'ALL');
  await waitUntil(async () => reconnections > before, { what: 'another connection' });
  await redis.publish('six', '1');
  await waitUntil(async () => received === 1, { what: 'the publication' });
  expect(received).toBe(1);
  subscription.close();
});

async function subscribersOf(channel: string): Promise<number> {
  const [, count] = await redis.pubsub('NUMSUB', channel);
  return Number(count);
}

async function untilSubscribers(channel: string, count: number): Promise<void> {
  await waitUntil(async () => (await subscribersOf(channel)) === count, { what: `${count} subscribers` });
}
