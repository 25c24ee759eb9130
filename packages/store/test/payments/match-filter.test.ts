import { waitUntil } from '@paywatch/dev/testing';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createHashSet } from '../../src/payments/hash-set.ts';
import { currentFilter, type MatchFilter } from '../../src/payments/match-filter.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

let store: TestStore;
let last = 0;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(() => store.filters.clear());

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
const scriptOf = (number: number): Buffer =>
  Buffer.concat([Buffer.from('0014', 'hex'), hashOf(`script ${number}`).subarray(0, 20)]);

async function lease(sql: TestStore['sql'], currency: 'BTC' | 'LTC' = 'BTC'): Promise<Buffer> {
  last += 1;
  const script = scriptOf(last);
  await sql`
    insert into address_leases (currency, script, pool_id, address_index, invoice_id)
    values (${currency}, ${script}, 1, ${last}, ${last})`;
  return script;
}

/** Derives an address that nobody holds. */
async function derive(sql: TestStore['sql'], currency: 'BTC' | 'LTC' = 'BTC'): Promise<Buffer> {
  last += 1;
  const script = scriptOf(last);
  await sql`
    with pool as (
      insert into pools (currency, key_id, xpub, script_type, branch, gap_limit)
      values (${currency}, ${`key ${last}`}, 'xpub', 'p2wpkh', 0, 20) returning id
    )
    insert into pool_addresses (pool_id, address_index, script, address, address_class)
    select id, ${last}, ${script}, ${`address ${last}`}, 'any' from pool`;
  return script;
}

/** Records a transaction that spends a new outpoint. Returns the outpoint as it is serialized in a transaction. */
async function spend(sql: TestStore['sql']): Promise<Buffer> {
  last += 1;
  const txid = hashOf(`coin ${last}`);
  await sql`
    insert into transaction_inputs (currency, spent_txid, spent_vout, txid)
    values ('BTC', ${txid}, ${last}, ${hashOf(`spender ${last}`)})`;
  const vout = Buffer.alloc(4);
  vout.writeUInt32LE(last);
  return Buffer.concat([txid.toReversed(), vout]);
}

const loaded = (): Promise<MatchFilter> =>
  waitUntil(() => currentFilter(store, 'BTC'), { what: 'the filter', everyMs: 5 });
const mayPay = (filter: MatchFilter, script: Buffer): boolean => filter.mayPay(script, 0, script.length);
const maySpend = (filter: MatchFilter, outpoint: Buffer): boolean => filter.maySpend(outpoint, 0, 36);

test('matches scripts and outpoints from before and after it was loaded, and hardly any others', async () => {
  const before = [await lease(store.sql), await spend(store.sql)] as const;
  expect(await currentFilter(store, 'BTC')).toBeNull();
  await loaded();
  const after = [await lease(store.sql), await spend(store.sql)] as const;
  const filter = await loaded();
  for (const [script, outpoint] of [before, after]) {
    expect([mayPay(filter, script), maySpend(filter, outpoint)]).toEqual([true, true]);
  }
  const strangers = Array.from({ length: 10_000 }, (_, index) => scriptOf(-1 - index));
  expect(strangers.filter((script) => mayPay(filter, script)).length).toBeLessThan(5);
});

test('matches derived addresses without a lease from before and after it was loaded', async () => {
  const before = await derive(store.sql);
  const after = await loaded().then(() => derive(store.sql));
  const filter = await loaded();
  expect([mayPay(filter, before), mayPay(filter, after)]).toEqual([true, true]);
  expect(mayPay(filter, await derive(store.sql, 'LTC'))).toBe(false);
  expect(mayPay(await loaded(), scriptOf(last))).toBe(false);
});

test('a derived address matches from the commit of its transaction on', async () => {
  await loaded();
  const open = Promise.withResolvers<void>();
  const written = Promise.withResolvers<Buffer>();
  const committed = store.sql.begin(async (tx) => {
    written.resolve(await derive(tx as never));
    await open.promise;
  });
  const script = await written.promise;
  await derive(store.sql);
  for (let looks = 0; looks < 2; looks += 1) expect(mayPay(await loaded(), script)).toBe(false);
  open.resolve();
  await committed;
  expect(mayPay(await loaded(), script)).toBe(true);
});

test('a lease of another currency does not match', async () => {
  const script = await lease(store.sql, 'LTC');
  expect(mayPay(await loaded(), script)).toBe(false);
});

test('a row that commits late matches from its commit on, although later rows were read before', async () => {
  const filter = await loaded();
  const open = Promise.withResolvers<void>();
  const written = Promise.withResolvers<[Buffer, Buffer]>();
  const committed = store.sql.begin(async (tx) => {
    written.resolve([await lease(tx as never), await spend(tx as never)]);
    await open.promise;
  });
  const [script, outpoint] = await written.promise;
  const later = await lease(store.sql);
  // More than once, so that a place remembered by mistake would lie behind it.
  for (let looks = 0; looks < 3; looks += 1) expect(mayPay(await loaded(), later)).toBe(true);
  expect(mayPay(filter, script)).toBe(false);
  open.resolve();
  await committed;
  const now = await loaded();
  expect([mayPay(now, script), maySpend(now, outpoint)]).toEqual([true, true]);
});

test('a row that commits during the load matches, although its page was read before', async () => {
  const open = Promise.withResolvers<void>();
  const written = Promise.withResolvers<Buffer>();
  const committed = store.sql.begin(async (tx) => {
    written.resolve(await lease(tx as never));
    await open.promise;
  });
  const script = await written.promise;
  await lease(store.sql);
  await loaded();
  open.resolve();
  await committed;
  expect(mayPay(await loaded(), script)).toBe(true);
});

test('a filter that missed too much is reloaded; Postgres is queried meanwhile', async () => {
  await loaded();
  await store.sql`
    insert into address_leases (currency, script, pool_id, address_index, invoice_id)
    select 'BTC', int8send(n), 2, n, n from generate_series(1000000, 1030000) n`;
  expect(await currentFilter(store, 'BTC')).toBeNull();
  const filter = await loaded();
  const script = Buffer.alloc(8);
  for (const number of [1_000_000n, 1_020_001n, 1_030_000n]) {
    script.writeBigInt64BE(number);
    expect(mayPay(filter, script)).toBe(true);
  }
});

test('a hash set loses no key while it grows, and has few false positives', () => {
  const set = createHashSet(10);
  const keys = Array.from({ length: 50_000 }, (_, index) =>
    hashOf(`key ${index}`).subarray(0, 20 + (index % 13)),
  );
  for (const key of keys) set.add(key);
  expect(keys.every((key) => set.mayHave(key, 0, key.length))).toBe(true);
  const others = keys.filter((_, index) => {
    const other = hashOf(`other ${index}`);
    return set.mayHave(other, 3, 25);
  });
  expect(others.length).toBeLessThan(10);
});
