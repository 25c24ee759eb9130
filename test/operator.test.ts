import {
  createApiClient,
  openMerchant,
  serviceProgram,
  type ApiClient,
  type Merchant,
  startStack,
  type Stack,
} from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';
import { createMerchantWallet } from '@paywatch/dev/wallet';

import { openDatabase } from '@paywatch/store/postgres';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

const SELLER = 'merchant-1@example.org';
// Stays below the rate limit of public reads.
const PATIENT = { everyMs: 1000 };

let stack: Stack;
let call: ApiClient;
let seller: Merchant;
let buyer: Merchant;
beforeAll(async () => {
  stack = await startStack({
    replicas: { api: 1, watcher: 2 },
    mweb: false,
    env: { SUBSCRIPTION_SELLER: SELLER, SUBSCRIPTION_PRICE_BTC: '0.0003', SUBSCRIPTION_DAYS: '30' },
  });
  call = createApiClient(stack.url);
  seller = await openMerchant(call, { number: 1, currency: 'BTC', gapLimit: 20 });
  buyer = await openMerchant(call, { number: 2, currency: 'BTC', gapLimit: 20 });
});
afterAll(() => stack?.stop());

/** Runs a `paywatch` command and returns its JSON output. */
async function paywatch<Shape>(args: readonly string[], shape: z.ZodType<Shape>): Promise<Shape> {
  const child = spawn(process.execPath, [serviceProgram('cli'), ...args, '--json'], {
    env: { ...process.env, ...stack.env },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0)
    throw new Error(`paywatch ${args.join(' ')} ended with ${String(code)}: ${stdout}${stderr}`);
  return shape.parse(JSON.parse(stdout));
}

const subscriptionShape = z.object({
  active: z.boolean(),
  active_until: z.string().nullable(),
  purchases: z.array(z.object({ public_id: z.string(), extended_at: z.string().nullable() })),
});
const purchaseShape = z.object({ public_id: z.string(), amount: z.string() });
const shownInvoice = z.object({
  status: z.string(),
  address: z.string(),
  payments: z.array(z.object({ block_hash: z.string().nullable() })),
});

const readSubscription = () =>
  call({ method: 'GET', path: '/v1/subscription', as: { session: buyer.session } }, subscriptionShape);

/** An invoice as its payer sees it. */
const readInvoice = (publicId: string) =>
  call({ method: 'GET', path: `/v1/public/invoices/${publicId}` }, shownInvoice);

/** How often a payment has extended the buyer's subscription, according to the audit log. */
async function countExtensions(): Promise<number> {
  const change = z.object({ action: z.string(), detail: z.looseObject({ actor: z.string() }) });
  const shape = z.object({ changes: z.array(change) });
  const { changes } = await paywatch(['accounts', 'show', buyer.email], shape);
  return changes.filter(
    ({ action, detail }) => action === 'subscription.changed' && detail.actor === 'payment',
  ).length;
}

test('an account buys a subscription with a payment, which extends it exactly once despite a reorg', async () => {
  await paywatch(['subscriptions', 'end', buyer.email], z.unknown());
  expect(await readSubscription()).toMatchObject({ active: false, purchases: [] });
  const buy = {
    method: 'POST',
    path: '/v1/subscription/purchases',
    body: { currency: 'BTC' },
    as: { session: buyer.session },
  } as const;
  // The first addresses of the seller's wallet may not be derived yet.
  const bought = await waitUntil(() => call(buy, purchaseShape), { what: 'a purchase', ...PATIENT });
  const { address } = await readInvoice(bought.public_id);
  const payer = stack.payers.BTC;
  await payer.pay(address, BigInt(bought.amount));
  await payer.mine(1);
  const extended = await waitUntil(
    async () => {
      const subscription = await readSubscription();
      return subscription.active && subscription;
    },
    { what: 'the extended subscription', ...PATIENT },
  );
  expect(extended.purchases).toEqual([
    { public_id: bought.public_id, extended_at: expect.stringMatching(/Z$/) },
  ]);
  expect((Date.parse(extended.active_until ?? '') - Date.now()) / 86_400_000).toBeCloseTo(30, 1);

  // The payment is in another block now, and a rescan reads everything again.
  const { connected } = await payer.reorg(1);
  await waitUntil(
    async () => connected.includes((await readInvoice(bought.public_id)).payments[0]?.block_hash ?? ''),
    { what: 'the payment in its new block', ...PATIENT },
  );
  const rechecked = await paywatch(
    ['invoices', 'recheck', bought.public_id, '--chain'],
    z.object({ status: z.string(), rescan: z.object({ matched: z.number() }) }),
  );
  expect(rechecked.status).toBe('confirmed');
  expect(rechecked.rescan.matched).toBeGreaterThan(0);
  expect((await readSubscription()).active_until).toBe(extended.active_until);
  expect(await countExtensions()).toBe(1);
  expect(seller.email).toBe(SELLER);
});

const CSV_HEADER = 'order_id,currency,address_index,address,expected_amount,created_at,expires_at';
const at = (ms: number) => new Date(Date.now() + ms).toISOString();

test('a shop migrates its wallet and open orders: earlier payments count, and new addresses start after the imported ones', async () => {
  const wallet = createMerchantWallet('LTC');
  const payer = stack.payers.LTC;
  const amount = 1_000_000n;
  // In the old system: one completed order, one paid in a block, one paid in the mempool, one unpaid.
  for (const index of [2, 4]) await payer.pay(wallet.addressAt(index), amount);
  await payer.mine(1);
  await payer.pay(wallet.addressAt(5), amount);
  const chains = z.object({
    chains: z.array(z.looseObject({ currency: z.string(), mempool_read_at: z.string() })),
  });
  const sentMs = Date.now();
  await waitUntil(
    async () => {
      const { chains: all } = await paywatch(['chain', 'status'], chains);
      const chain = all.find(({ currency }) => currency === 'LTC');
      return Date.parse(chain?.mempool_read_at ?? '') > sentMs;
    },
    { what: 'a mempool poll', ...PATIENT },
  );

  await using folder = await mkdtempDisposable(join(tmpdir(), 'paywatch-move-'));
  const [keyFile, orderFile] = [join(folder.path, 'key.txt'), join(folder.path, 'orders.csv')];
  await writeFile(keyFile, wallet.xpub);
  const lines = [4, 5, 6].map((index) =>
    [`old-${index}`, 'LTC', index, wallet.addressAt(index), amount, at(-3_600_000), at(3_600_000)].join(','),
  );
  await writeFile(orderFile, [CSV_HEADER, ...lines].join('\n'));
  const given = ['--key-file', keyFile, '--address', wallet.addressAt(7), '--script-type', wallet.scriptType];
  const { history_read: isRead, last_used_index: lastUsed } = await paywatch(
    ['wallets', 'import', buyer.email, 'LTC', ...given, '--apply'],
    z.object({ history_read: z.boolean(), last_used_index: z.number() }),
  );
  expect([isRead, lastUsed]).toEqual([true, 4]);
  const { invoices } = await paywatch(
    ['orders', 'import', buyer.email, orderFile, '--apply'],
    z.object({ invoices: z.array(z.object({ public_id: z.string() })) }),
  );
  const statuses = async () =>
    Promise.all(invoices.map(async ({ public_id: id }) => (await readInvoice(id)).status));
  await waitUntil(async () => (await statuses()).join() === 'pending,pending,new', {
    what: 'the payments before the import',
    ...PATIENT,
  });
  await payer.pay(wallet.addressAt(6), amount);
  await payer.mine(2);
  await waitUntil(async () => (await statuses()).every((status) => status === 'confirmed'), {
    what: 'the confirmation of every order',
    ...PATIENT,
  });
  const order = { currency: 'LTC', type: 'order', expected_amount: '1000000' };
  const created = await waitUntil(
    () =>
      call(
        { method: 'POST', path: '/v1/invoices', body: order, as: { apiKey: buyer.apiKey } },
        z.object({ address_index: z.number() }),
      ),
    { what: 'an address of the new window', ...PATIENT },
  );
  expect(created.address_index).toBeGreaterThan(6);
});

test('the reconciliation of all this finds no difference, and then a manually changed status', async () => {
  const shape = z.object({
    runs: z.array(z.looseObject({ currency: z.string(), compared: z.number(), ended: z.boolean() })),
    differences: z.array(z.looseObject({})),
  });
  const { runs, differences } = await paywatch(['reconcile', '--since', '2026-01-01'], shape);
  expect(differences).toEqual([]);
  expect(runs.map(({ currency, ended }) => [currency, ended])).toEqual([
    ['BTC', true],
    ['LTC', true],
  ]);
  expect(Math.min(...runs.map(({ compared }) => compared))).toBeGreaterThan(0);

  const { sql, close } = openDatabase({
    url: stack.env['DATABASE_URL'] ?? '',
    applicationName: 'test',
    poolSize: 1,
  });
  const [changed] = await sql<{ publicId: string }[]>`
    update invoices set status = 'expired' where id = (select min(id) from invoices where status = 'confirmed')
    returning public_id as "publicId"`;
  await close();
  const found = paywatch(['reconcile', '--since', '2026-01-01'], shape);
  await expect(found).rejects.toThrow('ended with 1');
  await expect(found).rejects.toThrow(
    new RegExp(`"${changed?.publicId}"[^}]*"wrong_status"[^}]*"confirmed"`),
  );
});
