import {
  createApiClient,
  openMerchant,
  repositoryFolder,
  waitUntil,
  type ApiClient,
  type Merchant,
} from '@paywatch/dev';
import { startStack, type Stack } from '@paywatch/dev/stack';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

const SELLER = 'merchant-1@example.org';
const PATIENT = { timeoutMs: 60_000, everyMs: 250 };

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

/** What a command of the operator prints, as JSON. */
async function paywatch<Shape>(args: readonly string[], shape: z.ZodType<Shape>): Promise<Shape> {
  const entry = join(repositoryFolder, 'services/cli/src/main.ts');
  const child = spawn(process.execPath, [entry, ...args, '--json'], {
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
  invoice: z.object({
    status: z.string(),
    payments: z.array(z.object({ block_hash: z.string().nullable() })),
  }),
});

const readSubscription = () =>
  call({ method: 'GET', path: '/v1/subscription', as: { session: buyer.session } }, subscriptionShape);

/** How often a payment has extended the buyer's subscription, by the audit log. */
async function countExtensions(): Promise<number> {
  const change = z.object({ action: z.string(), detail: z.looseObject({ actor: z.string() }) });
  const shape = z.object({ changes: z.array(change) });
  const { changes } = await paywatch(['accounts', 'show', buyer.email], shape);
  return changes.filter(
    ({ action, detail }) => action === 'subscription.changed' && detail.actor === 'payment',
  ).length;
}

test('an account without a subscription pays for days on the chain, and gets them once, whatever happens after', async () => {
  await paywatch(['subscriptions', 'end', buyer.email], z.unknown());
  expect(await readSubscription()).toMatchObject({ active: false, purchases: [] });
  const buy = {
    method: 'POST',
    path: '/v1/subscription/purchases',
    body: { currency: 'BTC' },
    as: { session: buyer.session },
  } as const;
  // The first addresses of the seller's wallet are derived behind the scenes.
  const bought = await waitUntil(() => call(buy, purchaseShape), { what: 'a purchase', ...PATIENT });
  const path = `/v1/public/invoices/${bought.public_id}`;
  const { address } = await call({ method: 'GET', path }, z.object({ address: z.string() }));
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

  // Another block has the payment now, and the watchers are told to look at everything again.
  const { connected } = await payer.reorg(1);
  const show = () => paywatch(['invoices', 'show', bought.public_id], shownInvoice);
  await waitUntil(async () => connected.includes((await show()).invoice.payments[0]?.block_hash ?? ''), {
    what: 'the payment in its new block',
    ...PATIENT,
  });
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
