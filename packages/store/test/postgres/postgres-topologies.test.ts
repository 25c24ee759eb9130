import {
  hasPgBouncer,
  startPgBouncer,
  startPostgres,
  startRedis,
  type PgBouncer,
  type Postgres,
  type PostgresReplica,
  type Redis,
} from '@paywatch/dev/servers';
import { waitUntil } from '@paywatch/dev/testing';
import { createLogger } from '@paywatch/runtime/observability';
import { pause } from '@paywatch/runtime/process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction, openDatabase, type Database } from '../../src/postgres/database.ts';
import { listenForDeliveries } from '../../src/webhooks/lease-deliveries.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { createListReader, type ReadLists } from '../../src/postgres/read-replica.ts';
import { checkServers } from '../../src/postgres/start-checks.ts';
import { openStore, type Store } from '../../src/store.ts';

const silent = createLogger({ service: 'test', level: 'silent' });

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres({ own: true });
});
afterAll(() => postgres.stop());

const meta = { skipReason: 'pgbouncer is not installed' };

describe.skipIf(!hasPgBouncer())('behind PgBouncer in transaction mode', { meta }, () => {
  let pool: PgBouncer;
  let redis: Redis;
  let store: Store;
  beforeAll(async () => {
    [pool, redis] = await Promise.all([startPgBouncer(postgres.url), startRedis()]);
    store = openStore({
      databaseUrl: pool.url,
      databaseDirectUrl: postgres.url,
      redisUrl: redis.url,
      redisPrefix: 'pooled',
      role: 'api',
      applicationName: 'test',
      poolSize: 20,
      onRedisError: () => undefined,
    });
  });
  afterAll(async () => {
    await store.close();
    await Promise.all([pool.stop(), redis.stop()]);
  });

  test('a pooler without our session settings is refused with advice; migrating sets them', async () => {
    await expect(checkServers(store, silent)).rejects.toThrow(
      /^DATABASE_URL: connections from the pooler lack the session settings/,
    );
    await migrate(postgres.url);
    // What PgBouncer has open was opened before.
    const later = await startPgBouncer(postgres.url);
    const database = openDatabase({ url: later.url, directUrl: postgres.url, applicationName: 'test' });
    const watch = await checkServers({ ...store, ...database }, silent);
    expect(watch.degradations()).toEqual({});
    watch.stop();
    await database.close();
    await later.stop();
  });

  test('concurrent statements over few connections get their own results', async () => {
    const numbers = Array.from({ length: 400 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map(async (number) => {
        const [row] = await store.sql`select ${number}::int as n, ${[number]}::int[] as list`;
        return row;
      }),
    );
    expect(answers).toEqual(numbers.map((n) => ({ n, list: [n] })));
  });

  test('statements with and without parameters that arrive together are all answered', async () => {
    const numbers = Array.from({ length: 2000 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map(async (number) => {
        const [row] = await (number % 2 === 0
          ? store.sql`select 0 as n`
          : store.sql`select ${number}::int as n`);
        return row;
      }),
    );
    expect(answers).toEqual(numbers.map((number) => ({ n: number % 2 === 0 ? 0 : number })));
  });

  test('a transaction and its locks stay on one connection', async () => {
    let inside = 0;
    let most = 0;
    const work = () =>
      inTransaction(store, async (tx) => {
        await tx`select pg_advisory_xact_lock(42)`;
        most = Math.max(most, (inside += 1));
        await tx`select pg_sleep(0.002)`;
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 40 }, work));
    expect(most).toBe(1);
  });

  test('a notification sent through the pooler reaches a listener on a direct connection', async () => {
    let woken = 0;
    const listener = await listenForDeliveries(store, () => (woken += 1));
    await waitUntil(() => woken === 1, { what: 'the listener to be connected' });
    await store.sql`select pg_notify('paywatch_deliveries', '')`;
    await waitUntil(() => woken === 2, { what: 'the notification' });
    expect(woken).toBe(2);
    await listener.stop();
  });
});

describe('with a streaming replica for lists', () => {
  let database: Database;
  let replica: PostgresReplica;
  let readLists: ReadLists;
  beforeAll(async () => {
    replica = await postgres.startReplica();
    database = openDatabase({
      url: postgres.url,
      readUrl: replica.urlOf(postgres.url),
      applicationName: 'test',
    });
    readLists = createListReader(database.sql, database.replica, { coolDownMs: 100, maxLagMs: 700 });
    await database.sql`create table notes (note text)`;
  });
  afterAll(async () => {
    await database.close();
    await replica.stop();
  });

  const write = (note: string) => database.sql`insert into notes values (${note})`;
  const read = () =>
    readLists(async ({ sql }) => {
      const [row] = await sql<{ isReplica: boolean; notes: string[] }[]>`
        select pg_is_in_recovery() as "isReplica", (select array_agg(note order by note) from notes) as notes`;
      return row;
    });

  test('lists come from the replica, from the primary while it lags, and from the replica again', async () => {
    await write('a');
    await waitUntil(async () => (await read())?.isReplica, { what: 'the replica to have caught up' });
    await replica.pause();
    await write('b');
    const late = await waitUntil(async () => readIf(await read(), false), { what: 'the lag to be noticed' });
    expect(late.notes).toEqual(['a', 'b']);
    await replica.resume();
    const again = await waitUntil(
      async () => {
        await write('c');
        return readIf(await read(), true);
      },
      { what: 'the replica to be read again' },
    );
    expect(again.notes.slice(0, 2)).toEqual(['a', 'b']);
  });

  test("lists come from the primary if the replica's role may not read them", async () => {
    await database.sql`create role limited login password 'secret'`;
    const url = new URL(replica.urlOf(postgres.url));
    [url.username, url.password] = ['limited', 'secret'];
    const limited = openDatabase({ url: postgres.url, readUrl: url.href, applicationName: 'test' });
    const canLogIn = () =>
      limited.replica!`select 1`.then(
        () => true,
        () => false,
      );
    await waitUntil(canLogIn, { what: 'the role to log in to the replica' });
    const list = createListReader(limited.sql, limited.replica, {
      coolDownMs: 0,
      maxLagMs: Number.POSITIVE_INFINITY,
    });
    const sources: boolean[] = [];
    const notes = await list(async ({ sql }) => {
      sources.push(sql === limited.replica);
      return sql`select note from notes where note = 'a'`;
    });
    expect({ notes, sources }).toEqual({ notes: [{ note: 'a' }], sources: [true, false] });
    await limited.close();
  });

  test('lists come from the primary if the replica refuses the login', async () => {
    await write('a');
    const url = new URL(replica.urlOf(postgres.url));
    [url.username, url.password] = ['nobody', 'wrong'];
    const refused = openDatabase({ url: postgres.url, readUrl: url.href, applicationName: 'test' });
    const list = createListReader(refused.sql, refused.replica);
    const [row] = await list(({ sql }) => sql`select pg_is_in_recovery() as "isReplica"`);
    expect(row).toEqual({ isReplica: false });
    await refused.close();
  });

  test('no list fails while the replica becomes unavailable', async () => {
    await waitUntil(
      async () => {
        await write('d');
        return (await read())?.isReplica;
      },
      { what: 'the replica to be read' },
    );
    const stopping = replica.stop();
    const answers = Array.from({ length: 50 }, async (_, index) => {
      await pause(index * 10);
      return read();
    });
    for (const answer of await Promise.all(answers)) expect(answer?.notes).toContain('a');
    await stopping;
    expect((await read())?.isReplica).toBe(false);
  });
});

function readIf<Row extends { isReplica: boolean }>(row: Row | undefined, isReplica: boolean): Row | false {
  return row !== undefined && row.isReplica === isReplica ? row : false;
}
