import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@paywatch/dev/servers';
import { createApiClient, repositoryFolder } from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createMerchant } from './merchant.ts';
import { payShown, stage } from './payments.ts';
import type { Scene } from './scene.ts';

const FOLDER = join(repositoryFolder, 'packages/client/examples/shop');
const ADMIN = { username: 'owner', password: 'a long password' };
const secretShape = z.object({ secret: z.string() });

/** The example shop of the client, run as a merchant would, on real chains. */
export function describeExampleShop(sceneOf: () => Scene): void {
  let shop: ChildProcess;
  let url: string;
  let folder: string;
  let unsubscribe: () => void;

  beforeAll(async () => {
    const scene = sceneOf();
    const { receiver } = scene.stack;
    const call = createApiClient(scene.stack.url);
    const as = { session: (await createMerchant(scene, 'example-shop@example.com')).session };
    const key = { method: 'POST', path: '/v1/api-keys', as } as const;
    const { token } = await call(key, z.object({ token: z.string() }));
    const endpoint = { method: 'POST', path: '/v1/webhooks', body: { url: receiver.url }, as } as const;
    const { secret } = await call(endpoint, secretShape);
    receiver.setSecrets(secret);
    const port = await freePort();
    url = `http://localhost:${port}`;
    folder = mkdtempSync(join(tmpdir(), 'paywatch-example-shop-'));
    shop = spawn(process.execPath, [join(FOLDER, 'main.ts')], {
      env: {
        PAYWATCH_URL: scene.stack.url,
        PAYWATCH_API_KEY: token,
        PAYWATCH_SECRET: secret,
        ADMIN_PASSWORD: ADMIN.password,
        PORT: String(port),
        SHOP_DATABASE: join(folder, 'shop.db'),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await waitUntil(async () => (await fetch(url)).ok, { what: 'the shop to open' });
    // The receiver terminates TLS, as the proxy of a shop does.
    unsubscribe = receiver.subscribe(({ rawBody, headers }) => void deliver(url, rawBody, headers));
  });
  afterAll(async () => {
    unsubscribe();
    const ended = once(shop, 'exit');
    shop.kill();
    await ended;
    rmSync(folder, { recursive: true });
  });

  it('sells for a price in EUR: the webhook marks the order as paid, once, and forgeries change nothing', async () => {
    const { open, stack } = sceneOf();
    const page = await open();
    await page.goto(url);
    await page.getByRole('button', { name: 'Add Mug' }).click();
    await page.goto(url);
    await page.getByRole('button', { name: 'Add Poster' }).click();
    await page.getByLabel('Number of Mug with a block header').fill('2');
    await page.getByRole('button', { name: 'Update Mug' }).click();
    await page.getByText('44.99 EUR').waitFor();
    const order = await checkOut(page, url);
    await stage(page, 'waiting');
    expect(await page.getByText('44.99\u00a0EUR').first().isVisible()).toBe(true);
    await payShown(page, stack.payers.BTC);
    await stack.payers.BTC.mine(2);
    await page.goto(order);
    await orderStatus(page, 'confirmed');
    expect(await page.locator('main').innerText()).toContain('2 × Mug with a block header');

    const { rawBody, headers } = stack.receiver.received.at(-1)!;
    expect(await deliver(url, rawBody, headers)).toEqual([200, 'nothing to do']);
    const forged = rawBody.replace('"confirmed"', '"underpaid"');
    expect(await deliver(url, forged, headers)).toEqual([400, 'signature_mismatch']);
    await page.reload();
    await orderStatus(page, 'confirmed');
    await page.context().close();
  });

  it('shows an underpaid order and records its refund, once', async () => {
    const { open, stack, sql } = sceneOf();
    const page = await open({ httpCredentials: ADMIN });
    const order = await buyOne(page, url);
    await stage(page, 'waiting');
    await payShown(page, stack.payers.BTC, 2n);
    await stage(page, 'partial');
    await endNow(sql, order);
    await stack.payers.BTC.mine(2);
    await page.goto(order);
    await orderStatus(page, 'underpaid');

    await page.goto(`${url}/admin`);
    await page.getByRole('link', { name: '1 × Ten stickers' }).first().click();
    for (const outcome of ['The refund is recorded.', 'This transaction was recorded before.']) {
      await page.getByLabel('Amount').fill('0.00002');
      await page.getByLabel('Transaction id').fill('ab'.repeat(32));
      await page.getByRole('button', { name: 'Record refund' }).click();
      await page.getByText(outcome).waitFor();
    }
    await page.goto(order);
    await page.getByText('Sent back: 0.00002 BTC').waitFor();
    expect(await page.getByText('Sent back').count()).toBe(1);
    await page.context().close();
  });

  it('shows an expired order, and keeps the merchant’s pages behind the password', async () => {
    const { open, sql } = sceneOf();
    const page = await open();
    const order = await buyOne(page, url);
    await endNow(sql, order);
    await page.goto(order);
    await orderStatus(page, 'expired');
    expect((await fetch(`${url}/admin`)).status).toBe(401);
    const body = new URLSearchParams({ sku: 'mug' });
    const crossSite = { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' }, body };
    expect((await fetch(`${url}/cart`, crossSite)).status).toBe(403);
    await page.context().close();
  });
}

async function buyOne(page: Page, url: string): Promise<string> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Add Ten stickers' }).click();
  return checkOut(page, url);
}

/** Orders the cart and opens the payment page: tries again while there is no rate or address yet. Returns the URL of the order. */
async function checkOut(page: Page, url: string): Promise<string> {
  await page.goto(`${url}/cart`);
  await page.getByRole('button', { name: 'Order' }).click();
  await page.waitForURL(/\/orders\//);
  const order = page.url();
  const isPayable = async () => {
    await page.goto(order);
    await page.getByRole('button', { name: 'Pay with Bitcoin' }).click();
    await page.waitForURL(/\/pay\/|busy=1/);
    return page.url().includes('/pay/');
  };
  await waitUntil(isPayable, { what: 'an invoice of the shop', everyMs: 500 });
  return order;
}

/** Ends the time of the invoice of an order, whose minimum would be a minute. */
async function endNow(sql: Scene['sql'], order: string): Promise<void> {
  const id = new URL(order).pathname.replace('/orders/', '');
  await sql`update invoices set expires_at = now(), deadline_at = now() where order_id = ${id}`;
}

/** Sends a webhook to the shop. Returns its response. */
async function deliver(url: string, body: string, headers: IncomingHttpHeaders): Promise<[number, string]> {
  const response = await fetch(`${url}/webhooks`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Signature': String(headers['x-signature']) },
    body,
  });
  return [response.status, await response.text()];
}

async function orderStatus(page: Page, status: string): Promise<void> {
  await page.locator(`[data-status=${status}]`).waitFor();
}
