import { startRedis, waitUntil, type Redis as Server } from '@paywatch/dev';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectRedis, type RedisClient } from '../src/redis/client.ts';
import { createKeys } from '../src/redis/keys.ts';
import { publishInvoicesChanged } from '../src/redis/publish.ts';
import { Subscriber } from '../src/redis/subscriber.ts';

const keys = createKeys('lines');
/** More than one write brings, and what takes more bytes than characters. */
const CROWD = Array.from({ length: 450 }, (_, i) => ({
  publicId: `inv_${i}`,
  version: i + 1,
  status: `${i + 1} open ${'é💶'.repeat(i % 50)}`,
}));

let server: Server;
let admin: Redis;
let redis: RedisClient;
let hearing: RedisClient;
let subscriber: Subscriber;
/** What was heard on each channel, in order. */
let heard: Map<string, string[]>;
let crowds: number;

beforeAll(async () => {
  server = await startRedis({ own: true });
  admin = new Redis(server.url);
});
afterAll(async () => {
  admin.disconnect();
  await server.stop();
});
beforeEach(async () => {
  heard = new Map(CROWD.map(({ publicId }) => [publicId, []]));
  crowds = 0;
  hearing = connectRedis(server.url, 'api', nothing);
  subscriber = new Subscriber({ redis: hearing }, nothing, nothing);
  const listening = CROWD.map(({ publicId }) =>
    subscriber.listen(keys.invoiceChannel(publicId), {
      hear: (bytes, start, end) => void heard.get(publicId)?.push(bytes.toString('utf8', start, end)),
    }),
  );
  await Promise.all(listening.map(({ ready }) => ready));
});
afterEach(() => {
  redis.disconnect();
  subscriber.close();
  hearing.disconnect();
});

for (const role of ['api', 'worker'] as const)
  test(`a ${role}'s crowds come whole, once and in order, and without a script once its line is open`, async () => {
    await connect(server.url, role);
    await untilWithoutScript();
    await publishCrowd();
    await untilHeardAll();
    for (const { publicId, status } of CROWD)
      expect(heard.get(publicId)).toEqual(Array.from({ length: crowds }, () => status));
    redis.disconnect();
    await waitUntil(async () => (await publishers()) === 0, { what: 'the end of its connections' });
  });

test('after Redis was lost the line is there again, and what comes meanwhile is published another way', async () => {
  await connect(server.url, 'worker');
  await untilWithoutScript();
  await server.kill();
  await publishCrowd();
  await server.restart();
  await waitUntil(async () => redis.status === 'ready', { what: 'the publisher' });
  await untilWithoutScript();
  expect(redis.status).toBe('ready');
});

test('who may not have Redis be silent publishes by script for good', async () => {
  await admin.acl('SETUSER', 'plain', 'on', '>pass', '~*', '&*', '+@all', '-client|reply');
  await connect(server.url.replace('//', '//plain:pass@'), 'worker');
  for (let i = 0; i < 3; i += 1) {
    expect(await scriptsOfACrowd()).toBe(3);
    await untilHeardAll();
  }
});

test(
  'a frozen Redis holds up nobody, and the line is there again once it goes on',
  { timeout: 30_000 },
  async () => {
    await connect(server.url, 'worker');
    await untilWithoutScript();
    const pid = Number(/process_id:(\d+)/.exec(await admin.info('server'))?.[1]);
    process.kill(pid, 'SIGSTOP');
    // Longer than the line waits for an answer.
    for (let i = 0; i < 8; i += 1) await publishCrowd();
    process.kill(pid, 'SIGCONT');
    await untilWithoutScript();
    for (const messages of heard.values()) messages.length = 0;
    await publishCrowd();
    await waitUntil(async () => [...heard.values()].every(({ length }) => length > 0), { what: 'a crowd' });
    expect(redis.status).toBe('ready');
  },
);

async function connect(url: string, role: 'api' | 'worker'): Promise<void> {
  redis = connectRedis(url, role, nothing);
  await waitUntil(async () => redis.status === 'ready', { what: 'the publisher' });
  await redis.client('SETNAME', 'publisher');
}

function publishCrowd(): Promise<void> {
  crowds += 1;
  return publishInvoicesChanged({ redis, keys }, CROWD);
}

async function untilHeardAll(): Promise<void> {
  await waitUntil(async () => CROWD.every(({ publicId }) => heard.get(publicId)?.length === crowds), {
    what: `${crowds} crowds`,
  });
}

/** The first crowd opens the line. */
async function untilWithoutScript(): Promise<void> {
  await waitUntil(async () => (await scriptsOfACrowd()) === 0, {
    what: 'a crowd without a script',
    everyMs: 50,
  });
}

async function scriptsOfACrowd(): Promise<number> {
  const before = await scripts();
  await publishCrowd();
  return (await scripts()) - before;
}

function scripts(): Promise<number> {
  return calls('evalsha');
}

async function calls(command: string): Promise<number> {
  const stats = await admin.info('commandstats');
  return Number(new RegExp(`cmdstat_${command.replace('|', '\\|')}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
}

/** Connections of whoever publishes: one is named, and beside it the line. */
async function publishers(): Promise<number> {
  const clients = String(await admin.client('LIST'));
  return clients.split('\n').filter((line) => / name=publisher | cmd=client\|reply /.test(line)).length;
}

function nothing(): void {
  return undefined;
}
