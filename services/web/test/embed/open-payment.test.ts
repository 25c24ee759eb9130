import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectBrowser, openPage } from '../support/browser.ts';
import { startBuyerServer } from '../support/apis/buyer-api.ts';
import { allInvoiceStates } from '../support/invoices.ts';
import { startShop, type Shop } from '../support/shop.ts';

/* The browser entry of the client, on a page of another site. */

let browser: Browser;
let server: Awaited<ReturnType<typeof startBuyerServer>>;
let shop: Shop;
let code: string;

beforeAll(async () => {
  [browser, server, code] = await Promise.all([connectBrowser(), startBuyerServer(), bundleEntry()]);
  shop = await startShop(server.url, '<main><h1>Shop</h1></main>', { isStrict: false });
  server.buyer.sites = [shop.origin];
});
afterAll(() => Promise.all([browser.close(), server.close(), shop.close()]));

async function bundleEntry(): Promise<string> {
  const entry = fileURLToPath(new URL('../../../../packages/client/src/button.ts', import.meta.url));
  const lib = { entry, formats: ['es' as const] };
  const [built] = (await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, lib },
  })) as Rolldown.RolldownOutput[];
  return built?.output[0].code ?? '';
}

/** Calls openPayment, records its calls in `window.calls`, and returns the error's message or null. A text, since vitest would change `import`. */
function openPayment(page: Page, url: string): Promise<string | null> {
  return page.evaluate(`(async () => {
    const calls = (window.calls ??= []);
    const address = URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: 'text/javascript' }));
    const { openPayment } = await import(address);
    const record = (name) => (state) => calls.push([name, state?.publicId ?? 'none', state?.status ?? 'none'].join(' '));
    const listeners = { onSeen: record('seen'), onConfirmed: record('confirmed'), onClosed: record('closed') };
    return openPayment(${JSON.stringify(url)}, listeners).then(() => null, String);
  })()`);
}

const callsOf = (page: Page) => page.evaluate(() => (window as unknown as { calls: string[] }).calls);

it('opens the modal and reports once that the payment was seen, that it is confirmed, and the end', async () => {
  const { page, context, pageErrors } = await openPage(browser);
  await page.goto(shop.origin);
  expect(await openPayment(page, `${server.url}/l/tok_board`)).toBeNull();
  const framed = page.frameLocator('iframe');
  await framed.locator('[data-testid=buy-submit]').click();
  await framed.locator('[data-testid=pay]').waitFor();
  for (const name of ['pending', 'confirmed']) {
    const state = allInvoiceStates(Date.now())[name];
    if (state === undefined) throw new Error(`no state ${name}`);
    server.put({ ...state, public_id: 'inv_B' });
    await framed
      .locator(`[data-stage=${name === 'pending' ? 'seen' : 'paid'}]`)
      .first()
      .waitFor();
  }
  await expect.poll(() => callsOf(page)).toContain('confirmed inv_B confirmed');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => callsOf(page))
    .toEqual(['seen inv_B pending', 'confirmed inv_B confirmed', 'closed inv_B confirmed']);
  expect(pageErrors).toEqual([]);
  await context.close();
});

it('reports that nothing was bought, opens again, and rejects what it cannot open', async () => {
  const { page, context } = await openPage(browser);
  await page.goto(shop.origin);
  for (const times of [1, 2]) {
    expect(await openPayment(page, `${server.url}/l/tok_board`)).toBeNull();
    await page.frameLocator('iframe').locator('[data-testid=buy-form]').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => callsOf(page)).toEqual(Array(times).fill('closed none none'));
  }
  expect(await openPayment(page, `${server.url}/account`)).toContain('TypeError');
  expect(await openPayment(page, 'http://127.0.0.1:9/l/tok_board')).toContain('could not be loaded');
  await context.close();
});
