import type { Currency } from '@paywatch/domain/values';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction, type TransactionSql } from '../../src/postgres/database.ts';
import {
  assertSameLeases,
  findDerivedScripts,
  findPaidInvoices,
  loadHolderTerms,
  loadLostPegOuts,
  loadRecordedPayments,
  loadScriptAddresses,
  loadScriptLeases,
  lockUnheldAddresses,
  upsertPayments,
  type NewPayment,
} from '../../src/payments/payments.ts';
import { createProject, createWallet, given } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

/*
 * Two chains on which everything is called the same: one script, one transaction, one block. What happens on one of them must not
 * be seen on the other.
 */
const BOTH = ['BTC', 'LTC'] as const;

let store: TestStore;
let scriptHex: string;
let txid: string;
let sides: Record<Currency, { projectId: bigint; poolId: bigint }>;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

beforeEach(async () => {
  scriptHex = randomBytes(22).toString('hex');
  txid = randomBytes(32).toString('hex');
  const open = async (currency: Currency) => {
    const { projectId } = await createProject(store);
    const { poolId } = await createWallet(store, projectId, { currency });
    await store.sql`
      update pool_addresses set script = decode(${scriptHex}, 'hex') where pool_id = ${poolId} and address_index = 1`;
    return { projectId, poolId };
  };
  sides = { BTC: await open('BTC'), LTC: await open('LTC') };
});

const within = <T>(work: (tx: TransactionSql) => Promise<T>): Promise<T> => inTransaction(store, work);

/** An order at the script of this chain that holds its address, or held it. */
async function lease(
  currency: Currency,
  { isHeld = true, tipHash = null }: { isHeld?: boolean; tipHash?: Buffer | null } = {},
): Promise<bigint> {
  const { projectId, poolId } = sides[currency];
  const [row] = await store.sql<{ id: bigint }[]>`
    with invoice as (
      insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
        expected_amount, confirmations_required, ttl_seconds, expires_at, deadline_at)
      values (${`inv_${randomBytes(8).toString('hex')}`}, ${projectId}, 'order', ${currency}, ${poolId}, 1, 'address',
        decode(${scriptHex}, 'hex'), false, 1000, 1, 3600, now(), now()) returning id
    )
    insert into address_leases (currency, script, pool_id, address_index, invoice_id, released_at, tip_height, tip_hash)
    select ${currency}, decode(${scriptHex}, 'hex'), ${poolId}, 1, id, ${isHeld ? null : new Date()}, 100, ${tipHash}
    from invoice returning invoice_id as id`;
  return given(row).id;
}

const paying = (invoiceId: bigint | null, changed: Partial<NewPayment> = {}): NewPayment => ({
  txid,
  vout: 0,
  invoiceId,
  poolId: null,
  scriptHex,
  amount: 400n,
  firstSeenMs: 5000,
  isPegOut: false,
  movedFrom: null,
  ...changed,
});

const record = (currency: Currency, ...payments: NewPayment[]) =>
  within((tx) => upsertPayments(tx, currency, payments));
const recorded = (currency: Currency, of = txid) => within((tx) => loadRecordedPayments(tx, currency, [of]));
const setState = (currency: Currency, state: string, of = txid) => store.sql`
  insert into transactions (currency, txid, state, first_seen_at)
  values (${currency}, decode(${of}, 'hex'), ${state}, now())
  on conflict (currency, txid) do update set state = excluded.state`;

/** Whether no other transaction holds the address. */
const lockable = async (currency: Currency) => {
  const rows = await store.sql`
    select 1 from pool_addresses where pool_id = ${sides[currency].poolId} and address_index = 1
    for update skip locked`;
  return rows.length === 1;
};

const disconnect = (currency: Currency, hash: Buffer, height: number, previous: Buffer) => store.sql`
  insert into disconnected_blocks (currency, hash, height, previous_hash)
  values (${currency}, ${hash}, ${height}, ${previous})`;
const tipOf = async (currency: Currency) => {
  const [one] = await within((tx) => loadScriptLeases(tx, currency, [scriptHex]));
  return one?.tipHeight;
};

/** What invoices still ask for, of those that were asked about. */
const dues = async (...ids: bigint[]) =>
  [...(await within((tx) => loadHolderTerms(tx, ids)))].map(
    ([id, { dueAmount }]) => [id, dueAmount] as const,
  );

describe('a script that two chains have', () => {
  test('is found only on the chain on which it was derived or leased', async () => {
    const other = randomBytes(22).toString('hex');
    for (const currency of BOTH)
      expect(await findDerivedScripts(store.sql, currency, [scriptHex, other])).toEqual(new Set([scriptHex]));
    await store.sql`delete from pool_addresses where pool_id = ${sides.LTC.poolId}`;
    expect(await findDerivedScripts(store.sql, 'LTC', [scriptHex])).toEqual(new Set());
    await lease('LTC');
    await store.sql`delete from pool_addresses where pool_id = ${sides.BTC.poolId}`;
    expect(await findDerivedScripts(store.sql, 'LTC', [scriptHex])).toEqual(new Set([scriptHex]));
    expect(await findDerivedScripts(store.sql, 'BTC', [scriptHex])).toEqual(new Set());
    expect(await findDerivedScripts(store.sql, 'BTC', [])).toEqual(new Set());
  });

  test('has only the addresses of pools of its chain', async () => {
    for (const currency of BOTH)
      expect(await within((tx) => loadScriptAddresses(tx, currency, [scriptHex]))).toEqual([
        { scriptHex, poolId: sides[currency].poolId, addressIndex: 1 },
      ]);
  });

  test('is locked only on its own chain, while it is not leased', async () => {
    for (const [state, isLocked] of [
      ['free', true],
      ['derived', true],
      ['leased', false],
      ['retired', false],
    ] as const) {
      await store.sql`update pool_addresses set state = ${state} where script = decode(${scriptHex}, 'hex')`;
      await within(async (tx) => {
        await lockUnheldAddresses(tx, 'LTC', [scriptHex]);
        expect([await lockable('BTC'), await lockable('LTC')], state).toEqual([true, !isLocked]);
      });
    }
  });

  test('has the leases of its own chain, with all their fields', async () => {
    const [held, former] = [await lease('BTC'), await lease('LTC', { isHeld: false })];
    const of = (currency: Currency) => within((tx) => loadScriptLeases(tx, currency, [scriptHex]));
    const common = { scriptHex, addressIndex: 1, readCounter: null, tipHeight: 100 };
    const leasedAtMs = expect.any(Number) as number;
    expect(await of('BTC')).toEqual([
      { ...common, poolId: sides.BTC.poolId, invoiceId: held, leasedAtMs, releasedAtMs: null },
    ]);
    expect(await of('LTC')).toEqual([
      {
        ...common,
        poolId: sides.LTC.poolId,
        invoiceId: former,
        leasedAtMs,
        releasedAtMs: expect.any(Number) as number,
      },
    ]);
  });

  test('that was leased later counts as such only on that chain', async () => {
    const known = await within((tx) => loadScriptLeases(tx, 'BTC', [scriptHex]));
    await lease('LTC');
    await within((tx) => assertSameLeases(tx, 'BTC', [scriptHex], known));
    await lease('BTC');
    await expect(within((tx) => assertSameLeases(tx, 'BTC', [scriptHex], known))).rejects.toThrow('leased');
  });

  test('is detected as changed if one lease was deleted and another began', async () => {
    const former = await lease('BTC');
    const known = await within((tx) => loadScriptLeases(tx, 'BTC', [scriptHex]));
    await store.sql`delete from address_leases where invoice_id = ${former}`;
    const check = () => within((tx) => assertSameLeases(tx, 'BTC', [scriptHex], known));
    await expect(check()).rejects.toThrow('deleted');
    await lease('BTC');
    await expect(check()).rejects.toThrow('deleted');
  });
});

describe('a block that two chains have', () => {
  const hashes = [1, 2, 3].map(() => randomBytes(32)) as [Buffer, Buffer, Buffer];

  test('moves the tip of a lease to its last ancestor only if that chain disconnected it', async () => {
    const [tip, parent, kept] = hashes;
    for (const currency of BOTH) await lease(currency, { tipHash: tip });
    await disconnect('LTC', tip, 100, parent);
    expect([await tipOf('BTC'), await tipOf('LTC')]).toEqual([100, 99]);
    // The parent left one chain alone: only there it is no ancestor either.
    await disconnect('BTC', parent, 99, kept);
    expect([await tipOf('BTC'), await tipOf('LTC')]).toEqual([100, 99]);
    await disconnect('LTC', parent, 99, kept);
    expect(await tipOf('LTC')).toBe(98);
  });
});

describe('a transaction that two chains have', () => {
  test('has separate payments on each chain', async () => {
    const [btc, ltc] = [await lease('BTC'), await lease('LTC')];
    await record('BTC', paying(btc));
    expect(await recorded('LTC')).toEqual([]);
    await record('LTC', paying(ltc, { amount: 7n }));
    const common = { id: expect.any(BigInt), txid, vout: 0, scriptHex, firstSeenMs: 5000 };
    expect(await recorded('BTC')).toEqual([{ ...common, invoiceId: btc, amount: 400n }]);
    expect(await recorded('LTC')).toEqual([{ ...common, invoiceId: ltc, amount: 7n }]);
    expect(await within((tx) => findPaidInvoices(tx, 'BTC', [txid]))).toEqual([btc]);
    expect(await within((tx) => findPaidInvoices(tx, 'LTC', [txid]))).toEqual([ltc]);
    expect(await within((tx) => findPaidInvoices(tx, 'LTC', []))).toEqual([]);
  });

  test('names each invoice that it pays once', async () => {
    const { poolId } = sides.BTC;
    const invoice = await lease('BTC');
    await record('BTC', paying(null, { poolId }), paying(invoice, { vout: 1 }), paying(invoice, { vout: 2 }));
    expect(await within((tx) => findPaidInvoices(tx, 'BTC', [txid]))).toEqual([invoice]);
  });

  test('reduces the due amount of an order on its own chain, unless it is void there', async () => {
    const invoice = await lease('LTC');
    await record('LTC', paying(invoice));
    await setState('LTC', 'void');
    const due = async () => {
      const terms = await within((tx) => loadHolderTerms(tx, [invoice]));
      return terms.get(invoice);
    };
    expect(await due()).toEqual({ dueAmount: 1000n, deadlineMs: expect.any(Number) as number });
    await setState('LTC', 'mempool');
    await setState('BTC', 'void');
    expect((await due())?.dueAmount).toBe(600n);
    expect(await within((tx) => loadHolderTerms(tx, []))).toEqual(new Map());
  });

  test('does not change other dues; a donation that expired unseen is due nothing', async () => {
    const [shown, unshown] = [await lease('BTC'), await lease('LTC')];
    await store.sql`update invoices set shown_at = null where id = ${unshown}`;
    expect(await dues(unshown)).toEqual([[unshown, 1000n]]);
    await store.sql`update invoices set status = 'expired' where id in (${shown}, ${unshown})`;
    expect(new Map(await dues(shown, unshown))).toEqual(
      new Map([
        [shown, 1000n],
        [unshown, null],
      ]),
    );
  });

  test('is a lost peg-out only on the chain where no block contains it', async () => {
    const [btc, ltc] = [await lease('BTC'), await lease('LTC')];
    await record('LTC', paying(ltc, { isPegOut: true }), paying(ltc, { vout: 1 }));
    await record('BTC', paying(btc, { isPegOut: true }));
    const lost = async (currency: Currency) =>
      (await within((tx) => loadLostPegOuts(tx, currency, [scriptHex]))).map((one) => one.vout);
    await setState('LTC', 'mempool');
    await setState('BTC', 'absent');
    expect([await lost('LTC'), await lost('BTC')]).toEqual([[], [0]]);
    for (const state of ['absent', 'void']) {
      await setState('LTC', state);
      expect(await lost('LTC')).toEqual([0]);
    }
    await setState('BTC', 'mempool');
    expect([await lost('LTC'), await lost('BTC')]).toEqual([[0], []]);
    expect(await within((tx) => loadLostPegOuts(tx, 'LTC', [randomBytes(22).toString('hex')]))).toEqual([]);
  });
});

describe('payments that are recorded again', () => {
  test('keep invoice and amount, and their first-seen time moves back only', async () => {
    const [first, second] = [await lease('BTC', { isHeld: false }), await lease('BTC')];
    await record('BTC', paying(first));
    await record('BTC', paying(second, { firstSeenMs: 6000, amount: 1n }));
    expect(await recorded('BTC')).toMatchObject([{ invoiceId: first, amount: 400n, firstSeenMs: 5000 }]);
    await record('BTC', paying(second, { firstSeenMs: 4000.5 }));
    expect(await recorded('BTC')).toMatchObject([{ invoiceId: first, firstSeenMs: 4000 }]);
  });

  test('keep the order in which they were first recorded', async () => {
    const invoice = await lease('BTC');
    await record('BTC', paying(invoice, { vout: 5 }));
    await record('BTC', paying(invoice, { vout: 2 }));
    expect((await recorded('BTC')).map(({ vout }) => vout)).toEqual([5, 2]);
  });

  test("appear once in the owner's audit log if they belong to no invoice", async () => {
    const { poolId, projectId } = sides.LTC;
    const unassigned = paying(null, { poolId, vout: 3 });
    await record('LTC', unassigned, paying(await lease('LTC')));
    await record('LTC', unassigned);
    const lines = await store.sql`
      select detail from audit_log where project_id = ${projectId} and action = 'payment.unassigned'`;
    const detail = { actor: 'watcher', currency: 'LTC', outpoint: `${txid}:3`, amount: '400' };
    expect([...lines]).toEqual([{ detail }]);
    await store.sql`update pools set owner_project_id = null where id = ${poolId}`;
    await record('LTC', paying(null, { poolId, vout: 4 }));
    expect(
      await store.sql`select 1 from audit_log where action = 'payment.unassigned' and project_id is null`,
    ).toEqual([]);
  });

  test('move to another outpoint with all their fields if a peg-out was mined again', async () => {
    const invoice = await lease('LTC');
    const again = randomBytes(32).toString('hex');
    await record('LTC', paying(invoice, { isPegOut: true }), paying(invoice, { vout: 1, isPegOut: true }));
    const [lost] = await recorded('LTC');
    const moved = { txid: again, vout: 8, isPegOut: true, firstSeenMs: 9000 };
    await record('LTC', paying(null, { ...moved, movedFrom: given(lost).id }));
    expect(await recorded('LTC', again)).toMatchObject([
      { id: given(lost).id, vout: 8, invoiceId: invoice, firstSeenMs: 5000 },
    ]);
    expect((await recorded('LTC')).map(({ vout }) => vout)).toEqual([1]);
  });
});
