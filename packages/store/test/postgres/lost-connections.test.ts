import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  inTransaction,
  isDatabaseUnavailable,
  openDatabase,
  type Database,
  type Sql,
} from '../../src/postgres/database.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

/* What escapes a promise here, an error or a rejection, fails the run: it would end a process. */

const VICTIM = 'victim-of-the-test';

let store: TestStore;
let database: Database;

beforeAll(async () => {
  store = await openTestStore();
  await store.sql`create table parts (id int, part int)`;
});
beforeEach(async () => {
  await store.sql`truncate parts`;
});
afterAll(() => store.close());

function open(poolSize: number): Database {
  return openDatabase({ url: store.databaseUrl, applicationName: VICTIM, poolSize });
}

async function endConnections(): Promise<void> {
  await store.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${VICTIM} and datname = current_database()`;
}

async function partsOf(id: number): Promise<number> {
  return (await store.sql`select 1 from parts where id = ${id}`).length;
}

/** Resolves once the pool has lost the only connection that it had. */
async function isReplaced({ sql }: { sql: Sql }, formerPid: number): Promise<number> {
  for (;;) {
    try {
      const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
      if (row && row.pid !== formerPid) return row.pid;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }
}

test('a transaction that loses its connection fails as unavailable, and the pool keeps working', async () => {
  database = open(1);
  const transaction = inTransaction(database, async (tx) => {
    await tx`insert into parts values (1, 1)`;
    await Promise.all([tx`select pg_sleep(60)`, endConnections()]);
  });
  expect(isDatabaseUnavailable(await transaction.catch((error: unknown) => error))).toBe(true);
  expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
  expect(await partsOf(1)).toBe(0);
  await database.close();
});

test('statements of a transaction that lost its connection are not executed, even if the connection serves another one by then', async () => {
  database = open(1);
  const { promise: sessionPid, resolve: resolvePid } = Promise.withResolvers<number>();
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  const late: unknown[] = [];
  const transaction = inTransaction(database, async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    resolvePid(Number(row?.pid));
    await mayGoOn;
    for (const part of [1, 2])
      late.push(await tx`insert into parts values (2, ${part})`.catch((error: unknown) => error));
  });
  const failed = transaction.catch((error: unknown) => error);
  const pid = await sessionPid;
  await endConnections();
  await isReplaced(database, pid);
  await inTransaction(database, async (tx) => {
    await tx`insert into parts values (3, 1)`;
    goOn();
    await tx`select pg_sleep(0.2)`;
    await tx`insert into parts values (3, 2)`;
  });
  expect(isDatabaseUnavailable(await failed)).toBe(true);
  expect(late.map(isDatabaseUnavailable)).toEqual([true, true]);
  expect([await partsOf(2), await partsOf(3)]).toEqual([0, 2]);
  await database.close();
});

test('connections lost at any moment fail single statements only: every result is right, every transaction atomic', async () => {
  database = open(3);
  const { sql } = database;
  const untilMs = performance.now() + 3000;
  const failures: unknown[] = [];
  let lastId = 100;
  const ask = async (): Promise<void> => {
    const id = (lastId += 1);
    expect(await sql`select ${id}::int as id, pg_sleep(0.001)::text`).toMatchObject([{ id }]);
  };
  const write = async (): Promise<void> => {
    const id = (lastId += 1);
    await inTransaction(database, async (tx) => {
      await tx`insert into parts values (${id}, 1)`;
      await Promise.all([tx`select pg_sleep(0.001)`, tx`insert into parts values (${id}, 2)`]);
    });
  };
  const again = async (work: () => Promise<void>): Promise<void> => {
    while (performance.now() < untilMs) await work().catch((error: unknown) => failures.push(error));
  };
  const end = async (): Promise<void> => {
    await endConnections();
    await store.sql`select pg_sleep(random() / 50)`;
  };
  await Promise.all([...Array.from({ length: 6 }, (_, index) => again(index < 3 ? ask : write)), again(end)]);

  expect(failures.filter((error) => !isDatabaseUnavailable(error))).toEqual([]);
  const torn = await store.sql`select id from parts group by id having count(*) <> 2`;
  expect(torn).toEqual([]);
  expect((await store.sql`select 1 from parts`).length).toBeGreaterThan(0);
  await Promise.all(Array.from({ length: 6 }, ask));
  await database.close();
});

test('a transaction that begins on a full pipeline has its own connection', async () => {
  database = open(1);
  await database.ping();
  // With 100 statements that wait for a response the pipeline of a connection is full.
  const statements = Array.from({ length: 100 }, () => database.sql`select 1`.execute());
  const transaction = inTransaction(database, async (tx) => {
    await tx`insert into parts values (4, 1)`;
    throw new Error('roll back');
  });
  const insert = database.sql`insert into parts values (5, 1)`.execute();
  await expect(transaction).rejects.toThrow('roll back');
  await Promise.all([...statements, insert]);
  expect([await partsOf(4), await partsOf(5)]).toEqual([0, 1]);
  await database.close();
});

test('a pool does not search longer for a connection after many statements', async () => {
  database = open(2);
  const { sql } = database;
  // Never both in use after this: a pool that is never without an idle connection never begins anew.
  await Promise.all([sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`]);
  const searches = vi.spyOn(Array.prototype, 'indexOf');
  for (let count = 0; count < 500; count += 1) await sql`select 1`;
  const lengths = searches.mock.contexts.map((list) => (Array.isArray(list) ? list.length : 0));
  searches.mockRestore();
  await database.close();
  expect(lengths.length).toBeGreaterThan(500);
  expect(Math.max(...lengths)).toBeLessThan(100);
});
