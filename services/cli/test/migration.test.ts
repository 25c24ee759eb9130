import { createMerchantWallet } from '@paywatch/dev/wallet';
import { addPoolAddresses } from '@paywatch/store/pools';
import { deriveReceiveAddresses, parseWalletKey } from '@paywatch/domain/keys';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import {
  openAccount,
  openBench,
  openOrder,
  openPool,
  type Bench,
  type TestAccount,
} from './support/bench.ts';

let bench: Bench;
beforeAll(async () => (bench = await openBench()));
afterAll(() => bench.close());

type Wallet = ReturnType<typeof createMerchantWallet>;
const HEADER = 'order_id,currency,address_index,address,expected_amount,created_at,expires_at,return_url';
const HOUR_MS = 3_600_000;
const at = (ms: number) => new Date(Date.now() + ms).toISOString();

/** A CSV line of an order; `changes` replaces columns. */
function order(wallet: Wallet, index: number, changes: Record<string, string> = {}): string {
  const values: Record<string, string> = {
    order_id: `order-${index}`,
    currency: wallet.currency,
    address_index: String(index),
    address: wallet.addressAt(index),
    expected_amount: '150000',
    created_at: at(-HOUR_MS),
    expires_at: at(HOUR_MS),
    return_url: '',
    ...changes,
  };
  return HEADER.split(',')
    .map((name) => values[name])
    .join(',');
}

const file = (...lines: string[]) => [HEADER, ...lines, ''].join('\n');

/** An account with an imported wallet and no leases. */
async function openShop(): Promise<{ account: TestAccount; wallet: Wallet }> {
  const [account, wallet] = [await openAccount(bench, 14), createMerchantWallet('BTC')];
  const run = await importWallet(account, wallet, ['--apply', '--no-wait']);
  expect(run.stderr).toBe('');
  return { account, wallet };
}

function importWallet({ email }: TestAccount, wallet: Wallet, options: string[]) {
  const address = ['--address', wallet.addressAt(3)];
  const kind = ['--derivation-path', wallet.derivationPath, '--script-type', 'p2wpkh'];
  const args = [
    'wallets',
    'import',
    email,
    'BTC',
    '--json',
    '--key-file',
    '-',
    ...address,
    ...kind,
    ...options,
  ];
  return bench.run(args, { stdin: `${wallet.xpub}\n` });
}

const importOrders = ({ email }: TestAccount, csv: string, ...options: string[]) =>
  bench.run(['orders', 'import', email, '-', '--json', ...options], { stdin: csv });

const imported = z.object({ applied: z.boolean(), orders: z.number(), present: z.number() });
const faulty = z.object({
  faults: z.array(z.object({ line: z.number(), column: z.string().nullable(), message: z.string() })),
});

/** Invoices, leases and pool of an account. */
async function stateOf({ projectId }: TestAccount) {
  const invoices = await bench.store.sql`
    select i.order_id, i.address_index, i.address, l.released_at, a.state, i.status from invoices i
    join address_leases l on l.invoice_id = i.id
    join pool_addresses a on a.pool_id = i.pool_id and a.address_index = i.address_index
    where i.project_id = ${projectId} order by i.address_index`;
  const [pool] = await bench.store.sql`
    select p.start_index, p.derived_until from wallets w join pools p on p.id = w.pool_id
    where w.project_id = ${projectId} and w.status = 'verified'`;
  const rescans = await bench.store.sql`select count(*)::int as count from chain_rescans`;
  return { invoices: [...invoices], pool, rescans: rescans[0]?.['count'] as number };
}

/** Plays the watcher: derives addresses of the wallet and opens its pool. */
async function fillPool({ projectId }: TestAccount, wallet: Wallet): Promise<void> {
  const parsed = parseWalletKey({ currency: 'BTC', xpub: wallet.xpub, scriptType: 'p2wpkh' }, 'regtest');
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const [pool] = await bench.store.sql<{ id: bigint; from: number }[]>`
    select p.id, p.derived_until as from from wallets w join pools p on p.id = w.pool_id
    where w.project_id = ${projectId} and w.status = 'verified'`;
  if (!pool) throw new Error('the wallet is verified');
  const addresses = deriveReceiveAddresses(parsed.value, pool.from, 20);
  await addPoolAddresses(bench.store.sql, pool.id, addresses, pool.from + 20);
  await openPool(bench.store, pool.id);
}

describe('wallets import', () => {
  test('finds the index of the address, changes nothing without --apply, and does not print the key', async () => {
    const [account, wallet] = [await openAccount(bench, 14), createMerchantWallet('BTC')];
    const look = await importWallet(account, wallet, ['--start-index', '12']);
    expect(look.json()).toMatchObject({ applied: false, address_index: 3, start_index: 12 });
    expect((await bench.run(['wallets', 'list', account.email, '--json'])).json()).toMatchObject({
      wallets: [],
    });
    const done = await importWallet(account, wallet, ['--start-index', '12', '--apply', '--no-wait']);
    expect(done.json()).toMatchObject({ applied: true, history_read: false });
    expect((await bench.run(['wallets', 'list', account.email, '--json'])).json()).toMatchObject({
      wallets: [{ verified: true, next_index: 12, verification_address: wallet.addressAt(0) }],
    });
    for (const { stdout, stderr } of [look, done]) expect(stdout + stderr).not.toContain(wallet.xpub);
  });

  test('an address of another wallet or a private key is refused and nothing is registered', async () => {
    const [account, wallet] = [await openAccount(bench, 14), createMerchantWallet('BTC')];
    const foreign = { ...wallet, addressAt: createMerchantWallet('BTC').addressAt };
    expect((await importWallet(account, foreign, ['--apply'])).code).toBe(1);
    const secret = `xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi`;
    const run = await importWallet(account, { ...wallet, xpub: secret }, ['--apply']);
    expect(run.code).toBe(1);
    expect(run.stdout + run.stderr).not.toContain(secret);
    expect((await bench.run(['wallets', 'list', account.email, '--json'])).json()).toMatchObject({
      wallets: [],
    });
  });
});

describe('orders import', () => {
  test('a dry run prints the result and changes nothing', async () => {
    const { account, wallet } = await openShop();
    const before = await stateOf(account);
    const run = await importOrders(account, file(order(wallet, 5), order(wallet, 9)));
    expect(run.json()).toMatchObject({ applied: false, orders: 2, present: 0, next_indexes: { BTC: 10 } });
    expect(await stateOf(account)).toEqual(before);
  });

  test('orders become invoices that lease their addresses, and new invoices start after the highest index', async () => {
    const { account, wallet } = await openShop();
    const { rescans } = await stateOf(account);
    const csv = file(order(wallet, 5, { return_url: 'https://shop.example/thanks' }), order(wallet, 9));
    const run = await importOrders(account, csv, '--apply');
    expect(run.json()).toMatchObject({ applied: true, orders: 2, faults: [] });
    const state = await stateOf(account);
    expect(state.invoices).toEqual(
      [5, 9].map((index) => ({
        order_id: `order-${index}`,
        address_index: index,
        address: wallet.addressAt(index),
        released_at: null,
        state: 'retired',
        status: 'new',
      })),
    );
    expect(state.pool).toEqual({ start_index: 10, derived_until: 10 });
    expect(state.rescans).toBe(rescans + 1);
    await fillPool(account, wallet);
    expect((await openOrder(bench, account, 'BTC', 'new-order')).addressIndex).toBeGreaterThan(9);
  });

  test('a repeated import adds new orders, and a changed order stops the whole import', async () => {
    const { account, wallet } = await openShop();
    const run = async (...lines: string[]) => importOrders(account, file(...lines), '--apply');
    const [first, second] = [order(wallet, 5), order(wallet, 6)];
    expect((await run(first)).read(imported)).toMatchObject({ orders: 1, present: 0 });
    expect((await run(first, second)).read(imported)).toMatchObject({ orders: 1, present: 1 });
    const before = await stateOf(account);
    expect((await run(first, second)).read(imported)).toMatchObject({ orders: 0, present: 2 });
    const dearer = await run(order(wallet, 7), order(wallet, 6, { expected_amount: '150001' }));
    expect(dearer.code).toBe(1);
    expect(dearer.read(faulty).faults).toMatchObject([{ line: 3, column: 'order_id' }]);
    expect(await stateOf(account)).toEqual(before);
  });

  test('all errors of all lines are reported together with their columns, and nothing is imported', async () => {
    const { account, wallet } = await openShop();
    const csv = file(
      order(wallet, 1),
      order(wallet, 2, { address: wallet.addressAt(3) }),
      order(wallet, 0),
      order(wallet, 4, { expected_amount: '0.0015', expires_at: at(-1000) }),
      order(wallet, 5, { currency: 'LTC' }),
      order(wallet, 6, { order_id: 'order-1' }),
      order(wallet, 1, { order_id: '"quoted, with a comma"' }),
      order(wallet, 8, { created_at: 'yesterday', return_url: 'http://shop.example/' }),
      'too,short',
    );
    const run = await importOrders(account, csv, '--apply');
    expect(run.code).toBe(1);
    expect(run.read(faulty).faults.map(({ line, column }) => [line, column])).toEqual([[10, null]]);
    const rest = await importOrders(account, csv.replace('too,short\n', ''), '--apply');
    expect(rest.read(faulty).faults.map(({ line, column }) => [line, column])).toEqual([
      [3, 'address'],
      [4, 'address_index'],
      [5, 'expected_amount'],
      [5, 'expires_at'],
      [6, 'currency'],
      [7, 'order_id'],
      [8, 'address_index'],
      [9, 'return_url'],
      [9, 'created_at'],
    ]);
    const unknown = await importOrders(account, csv.replace('return_url', 'returnurl'));
    expect(unknown.read(faulty).faults).toMatchObject([{ line: 1, column: 'returnurl' }]);
    expect((await stateOf(account)).invoices).toEqual([]);
  });

  test('files of spreadsheets are accepted; another encoding, other separators and large files are refused', async () => {
    const { account, wallet } = await openShop();
    const path = join(mkdtempSync(join(tmpdir(), 'paywatch-orders-')), 'orders.csv');
    onTestFinished(() => rmSync(dirname(path), { recursive: true }));
    const run = (content: string | Buffer) => {
      writeFileSync(path, content);
      return bench.run(['orders', 'import', account.email, path, '--json']);
    };
    const csv = file(order(wallet, 1, { order_id: '"Bestellung ""Ü"", 1"' }));
    const saved = await run(`\u{FEFF}${csv.replaceAll('\n', '\r\n')}\r\n`);
    expect(saved.read(imported)).toMatchObject({ orders: 1 });
    for (const encoded of [Buffer.from(csv, 'latin1'), Buffer.from(`\u{FEFF}${csv}`, 'utf16le')])
      expect((await run(encoded)).stderr).toContain('not encoded in UTF-8');
    const semicolons = await run(csv.replaceAll(',', ';'));
    expect(semicolons.read(faulty).faults).toMatchObject([
      { line: 1, message: expect.stringMatching(/separated by commas/) },
    ]);
    expect((await run(Buffer.alloc(16 * 1024 * 1024 + 1, '\n'))).stderr).toContain('larger than 16 MiB');
    const many = await run(file(...Array.from({ length: 10_001 }, (_, n) => `${n},BTC,1,a,1,b,c,`)));
    expect(many.read(faulty).faults).toMatchObject([{ line: 1, message: 'has more than 10000 orders' }]);
  });

  test('an address that was leased here is refused, and concurrent creations never lease it twice', async () => {
    const { account, wallet } = await openShop();
    await fillPool(account, wallet);
    const taken = await openOrder(bench, account, 'BTC', 'here-1');
    const refused = await importOrders(account, file(order(wallet, taken.addressIndex)), '--apply');
    expect(refused.read(faulty).faults).toMatchObject([{ line: 2, column: 'address_index' }]);
    const indexes = [7, 8, 9, 10, 11];
    const lines = indexes.map((index) => order(wallet, index));
    const imports = [1, 2].map(() => importOrders(account, file(...lines), '--apply'));
    const creations = [1, 2, 3, 4].map((n) => openOrder(bench, account, 'BTC', `beside-${n}`));
    const [outcomes] = await Promise.all([Promise.allSettled(creations), ...imports]);
    // Imported addresses are unavailable until more are derived; no other error may stop a creation.
    const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    expect(new Set([...refusals, 'Error: address_pool_busy']).size).toBe(1);
    const { invoices } = await stateOf(account);
    const held = invoices.map((each) => each['address']);
    expect(new Set(held).size).toBe(held.length);
    const ids = invoices.map((each) => each['order_id'] as string).filter((id) => id.startsWith('order-'));
    expect([0, 5]).toContain(ids.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('an account without a subscription or a wallet imports nothing', async () => {
    const { account, wallet } = await openShop();
    await bench.run(['subscriptions', 'end', account.email]);
    const run = await importOrders(account, file(order(wallet, 5)), '--apply');
    expect(run.read(faulty).faults[0]?.message).toContain('subscription');
    const other = await openAccount(bench, 14);
    const without = await importOrders(other, file(order(wallet, 5)));
    expect(without.read(faulty).faults).toMatchObject([{ line: 2, column: 'currency' }]);
  });
});
