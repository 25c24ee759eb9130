import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditPage, findCardOverflow } from '../support/apis/audit-page.ts';
import { connectBrowser, openPage } from '../support/browser.ts';
import { paymentLink, startBuyerServer } from '../support/apis/buyer-api.ts';
import { proofOfWork } from '../support/apis/donor-api.ts';
import { allInvoiceStates, payment } from '../support/invoices.ts';
import { takeScreenshot } from '../support/screenshots.ts';

let browser: Browser;
let server: Awaited<ReturnType<typeof startBuyerServer>>;
let page: Page;
let context: BrowserContext;
let pageErrors: string[];

beforeAll(async () => {
  [browser, server] = await Promise.all([connectBrowser(), startBuyerServer()]);
});
afterAll(() => Promise.all([browser.close(), server.close()]));
beforeEach(async () => {
  Object.assign(server.buyer, { refusal: null, lostAnswers: 0 });
  server.buyer.bought.length = 0;
  server.buyer.keys.length = 0;
  show({});
  ({ page, context, pageErrors } = await openPage(browser, { viewport: { width: 390, height: 844 } }));
});
afterEach(async () => {
  await context.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

const at = (testId: string) => page.locator(`[data-testid="${testId}"]`);
const open = (query = '') => page.goto(`${server.url}/pos/tok_board${query}`);
const show = (changes: Parameters<typeof paymentLink>[0]) =>
  server.links.set('tok_board', paymentLink({ ...KIOSK, ...changes }));
const KIOSK = { title: 'Kiosk', price: { amount: null, currency: 'EUR' }, available: null };

async function tap(keys: string): Promise<void> {
  for (const key of keys) await at(`key-${key === '.' ? 'point' : key}`).click();
}

describe('the point of sale', () => {
  it('charges what was typed, shows the QR code, and lists the sale with its state', async () => {
    await open();
    expect(await auditPage(page, 'pos')).toEqual({});
    await tap('107.87');
    await at('note').fill('Table 4');
    await takeScreenshot(page, 'pos-typed');
    await at('charge-BTC').click();
    await at('qr').waitFor();
    expect(server.buyer.bought).toMatchObject([{ currency: 'BTC', price_amount: '107.87', note: 'Table 4' }]);
    const { price, rate } = allInvoiceStates(Date.now())['new-priced']!;
    server.put({ ...server.invoices.get('inv_B')!, price, rate });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('sale');
    expect(await auditPage(page, 'pos-sale')).toEqual({});
    const shown = server.invoices.get('inv_B')!;
    const { expected_amount: received_amount } = shown;
    server.put({ ...shown, status: 'pending', received_amount: received_amount!, payments: [payment({})] });
    await page.locator('[data-testid=pay][data-stage=seen]').waitFor();
    await takeScreenshot(page, 'pos-seen');
    await at('new-sale').click();
    expect(await at('last-sales').innerText()).toMatch(/107\.87 EUR · Table 4\s+Payment seen/);
    expect(await auditPage(page, 'pos-list')).toEqual({});
    // The list is the device's own, and is read again.
    server.put({ ...server.invoices.get('inv_B')!, status: 'confirmed', confirmations: 1 });
    await page.reload();
    await at('last-sales').getByText('Paid').waitFor();
    await at('last-sales').getByRole('button').click();
    await page.locator('[data-testid=pay][data-stage=paid]').waitFor();
  });

  it('works with the keyboard alone, in German, for an amount of coins', async () => {
    show({ price: null, currencies: ['LTC'] });
    await open('?lang=de');
    // Keys are lost until the script with its German texts has loaded.
    await expect
      .poll(async () => {
        await page.keyboard.press('5');
        return at('pos-amount').innerText();
      })
      .toContain('5');
    while ((await at('pos-amount').innerText()).includes('5')) await page.keyboard.press('Backspace');
    await page.keyboard.type('0,0015x');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('7');
    expect(await at('pos-amount').innerText()).toBe('0,0017');
    expect(await auditPage(page, 'pos-de')).toEqual({});
    await at('charge-LTC').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Warten auf Zahlung').waitFor();
    expect(server.buyer.bought).toMatchObject([{ currency: 'LTC', amount: 170_000n, price_amount: null }]);
  });

  it('asks for an amount', async () => {
    await open();
    await at('charge-BTC').click();
    expect(await at('pos-failure').innerText()).toBe('Enter an amount.');
    await tap('1');
    await at('pos-failure').waitFor({ state: 'detached' });
  });

  it('repeats a sale whose answer was lost with the same key, and sells once', async () => {
    server.buyer.lostAnswers = 2;
    await open();
    await tap('3');
    await at('charge-BTC').click();
    await at('qr').waitFor();
    expect(server.buyer.bought).toHaveLength(1);
    expect(server.buyer.keys.length).toBeGreaterThanOrEqual(3);
    expect(new Set(server.buyer.keys).size).toBe(1);
  });

  it('says that it is offline, can be cancelled, and sells when the network is back', async () => {
    await open();
    await tap('3');
    await context.setOffline(true);
    await at('charge-BTC').click();
    await at('pos-offline').waitFor();
    expect(await auditPage(page, 'pos-offline')).toEqual({});
    await at('pos-cancel').click();
    await tap('4');
    await at('charge-BTC').click();
    await at('pos-offline').waitFor();
    await context.setOffline(false);
    await at('qr').waitFor();
    expect(server.buyer.bought).toMatchObject([{ price_amount: '4' }]);
  });

  it.each([
    ['rate_unavailable', 'no reliable exchange rate'],
    ['address_pool_busy', 'Try again in 10 minutes'],
    ['subscription_inactive', 'not accepted here'],
  ] as const)('returns to the keypad when the API answers %s, and says why', async (code, words) => {
    server.buyer.refusal = { code, retryAfter: 600 };
    await open();
    await tap('3');
    await at('charge-BTC').click();
    expect(await at('pos-failure').innerText()).toContain(words);
  });

  it('solves the proof of work where the link asks for one', async () => {
    show({ proof_of_work: proofOfWork() });
    await open();
    await tap('3');
    await at('charge-BTC').click();
    await at('qr').waitFor();
    expect(server.buyer.bought[0]?.proof_of_work).toMatch(/^[\w-]{38}\.\d+$/);
  });

  it('shows why nothing can be sold when the owner turned it off', async () => {
    show({ status: 'disabled', accepting: false });
    await open();
    expect(await at('link-closed').innerText()).toContain('This link is closed');
  });

  it.each([320, 390])('stays inside its card with long texts: %i px', async (width) => {
    show({ title: 'W'.repeat(100) });
    await page.setViewportSize({ width, height: 700 });
    await open();
    await tap('123456789.99');
    expect(await findCardOverflow(page)).toEqual([]);
    await takeScreenshot(page, `pos-${width}-long`);
  });
});
