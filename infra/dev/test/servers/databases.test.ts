import { Redis as RedisClient } from 'ioredis';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databasesOf } from '../../src/servers/postgres/postgres-databases.ts';
import { startPostgres, type Postgres } from '../../src/servers/postgres/postgres.ts';
import { startRedis, type Redis } from '../../src/servers/redis/redis.ts';

describe('our own Postgres', () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres({ own: true });
  });
  afterAll(() => server.stop());

  test('is version 18 and allows 300 connections', async () => {
    await using sql = connect(server.url);
    const [row] =
      await sql`select current_setting('server_version') as version, current_setting('max_connections') as connections`;
    expect(row).toEqual({ version: expect.stringMatching(/^18\./), connections: '300' });
  });

  test('copies a database with its content, and drops the copy despite an open connection', async () => {
    const template = await server.createDatabase();
    await query(template, 'create table fruit as select 7 as id');
    const copy = await server.createDatabase({ template });
    await using reader = connect(copy);
    expect(await reader`select id from fruit`).toEqual([{ id: 7 }]);
    await server.dropDatabase(copy);
    await expect(query(copy, 'select 1')).rejects.toThrow(/does not exist/);
  });

  test('drops an unused database only once its last client has disconnected', async () => {
    const databases = databasesOf(server.url);
    const url = await databases.create();
    const reader = connect(url);
    await reader`select 1`;
    const dropped = databases.dropUnused(url);
    expect(await Promise.race([dropped, reader`select 7 as id`])).toEqual([{ id: 7 }]);
    await reader.end();
    await dropped;
    await expect(query(url, 'select 1')).rejects.toThrow(/does not exist/);
    await databases.disconnect();
  });

  test('keeps committed data when it is killed and restarted', async () => {
    const url = await server.createDatabase();
    await query(url, 'create table fruit as select 7 as id');
    await server.kill();
    await server.restart();
    expect(await query(url, 'select id from fruit')).toEqual([{ id: 7 }]);
  });
});

describe('the Postgres of DATABASE_URL', () => {
  test('gets a new database, which is dropped at the end, and cannot be killed', async () => {
    const server = await startPostgres({ own: true });
    const borrowed = await withVariable('DATABASE_URL', server.url, () => startPostgres());
    const created = await borrowed.createDatabase();
    expect(borrowed.url).not.toBe(server.url);
    await expect(borrowed.kill()).rejects.toThrow(/must not be stopped/);
    await borrowed.stop();
    await expect(query(created, 'select 1')).rejects.toThrow(/does not exist/);
    await server.stop();
    await expect(query(server.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('our own Redis', () => {
  let server: Redis;
  beforeAll(async () => {
    server = await startRedis({ own: true });
  });
  afterAll(() => server.stop());

  test('never evicts and writes nothing to disk', async () => {
    const [policy, save, log] = await withRedis(server.url, (client) =>
      Promise.all(['maxmemory-policy', 'save', 'appendonly'].map((name) => client.config('GET', name))),
    );
    expect([policy, save, log]).toEqual([
      ['maxmemory-policy', 'noeviction'],
      ['save', ''],
      ['appendonly', 'no'],
    ]);
  });

  test('restarts empty on the same port after it was killed', async () => {
    await withRedis(server.url, (client) => client.set('fruit', '7'));
    await server.kill();
    await expect(withRedis(server.url, (client) => client.get('fruit'))).rejects.toThrow(
      /closed|ECONNREFUSED/,
    );
    await server.restart();
    expect(await withRedis(server.url, (client) => client.get('fruit'))).toBeNull();
  });

  test('shared through REDIS_URL, gives each user its own empty database', async () => {
    const [one, other] = await withVariable('REDIS_URL', server.url, () =>
      Promise.all([startRedis(), startRedis()]),
    );
    await withRedis(one.url, (client) => client.set('fruit', '7'));
    expect(await withRedis(other.url, (client) => client.get('fruit'))).toBeNull();
    await expect(one.kill()).rejects.toThrow(/must not be stopped/);
    await one.stop();
    expect(await withRedis(one.url, (client) => client.get('fruit'))).toBeNull();
  });

  test('assigns distinct databases also to users who start from an assigned database', async () => {
    const runs = [await takeFrom(server.url), await takeFrom(server.url)];
    const files: Redis[] = [];
    for (let turn = 0; turn < 3; turn += 1) for (const run of runs) files.push(await takeFrom(run.url));
    const taken = [...runs, ...files].map(({ url }) => url);
    expect(new Set(taken).size).toBe(taken.length);
  });
});

function takeFrom(redisUrl: string): Promise<Redis> {
  return withVariable('REDIS_URL', redisUrl, () => startRedis());
}

function connect(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  return Object.assign(sql, { [Symbol.asyncDispose]: () => sql.end({ timeout: 1 }) });
}

async function query(url: string, text: string): Promise<unknown[]> {
  await using sql = connect(url);
  return [...(await sql.unsafe(text))];
}

async function withRedis<T>(url: string, use: (client: RedisClient) => Promise<T>): Promise<T> {
  const client = new RedisClient(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    client.disconnect();
  }
}

async function withVariable<T>(name: string, value: string, use: () => Promise<T>): Promise<T> {
  const before = process.env[name];
  process.env[name] = value;
  try {
    return await use();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}
