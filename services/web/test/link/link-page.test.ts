import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditPage, findCardOverflow } from '../support/apis/audit-page.ts';
import { connectBrowser, openPage } from '../support/browser.ts';
import { paymentLink, startBuyerServer } from '../support/apis/buyer-api.ts';
import { proofOfWork } from '../support/apis/donor-api.ts';
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
  server.buyer.refusal = null;
  server.buyer.bought.length = 0;
  server.links.set('tok_board', paymentLink());
  ({ page, context, pageErrors } = await openPage(browser));
});
afterEach(async () => {
  await context.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

const at = (testId: string) => page.locator(`[data-testid="${testId}"]`);
const open = (query = '') => page.goto(`${server.url}/l/tok_board${query}`);
const show = (changes: Parameters<typeof paymentLink>[0]) =>
  server.links.set('tok_board', paymentLink(changes));

describe('the page of a payment link', () => {
  it('shows what is sold and for how much, and leads to the payment page in the chosen coin', async () => {
    await open();
    expect(await at('buy-price').innerText()).toBe('19.99\u00a0EUR');
    expect(await at('buy-left').innerText()).toBe('12 left');
    expect(await auditPage(page, 'link')).toEqual({});
    await page.locator('label', { hasText: 'LTC' }).click();
    await at('buy-submit').click();
    await page.waitForURL(/\/pay\/inv_B$/);
    await at('pay').waitFor();
    expect(server.buyer.bought).toMatchObject([{ currency: 'LTC', amount: null, price_amount: null }]);
  });

  it('speaks German, and keeps the language on the payment page', async () => {
    await open('?lang=de');
    expect(await at('buy-price').innerText()).toBe('19,99\u00a0EUR');
    expect(await at('buy-submit').innerText()).toBe('Weiter zur Zahlung');
    expect(await auditPage(page, 'link-de')).toEqual({});
    await at('buy-submit').click();
    await page.waitForURL(/\/pay\/inv_B\?lang=de$/);
    await page.getByText('Warten auf Zahlung').waitFor();
  });

  it.each([
    [{ price: { amount: null, currency: 'EUR' } }, '7,50', { price_amount: '7.50', amount: null }],
    [{ price: null, currencies: ['BTC'] }, '0.0015', { price_amount: null, amount: 150_000n }],
  ] as const)('takes the amount that the buyer names: %j', async (changes, typed, request) => {
    show(changes as Parameters<typeof paymentLink>[0]);
    await open();
    await at('amount').fill('lots');
    await at('buy-submit').click();
    await at('amount-error').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('amount');
    expect(await auditPage(page, `link-open-${changes.price === null ? 'coins' : 'price'}`)).toEqual({});
    await at('amount').fill(typed);
    await at('buy-submit').click();
    await at('pay').waitFor();
    expect(server.buyer.bought).toMatchObject([request]);
  });

  it.each([
    ['rate_limited', 'Try again in 10 minutes'],
    ['address_pool_busy', 'Try again in 10 minutes'],
    ['sold_out', 'The last piece was just taken'],
    ['payment_link_closed', 'no longer valid'],
    ['rate_unavailable', 'no reliable exchange rate'],
    ['subscription_inactive', 'not accepted here'],
    ['wallet_not_verified', 'not accepted here'],
  ] as const)('explains what to do when the API answers %s', async (code, words) => {
    server.buyer.refusal = { code, retryAfter: 600 };
    await open();
    await at('buy-submit').click();
    expect(await at('buy-failure').innerText()).toContain(words);
    server.buyer.refusal = null;
    await at('buy-submit').click();
    await at('pay').waitFor();
  });

  it.each([
    [{ status: 'disabled', accepting: false }, 'This link is closed'],
    [{ status: 'expired', accepting: false }, 'This link has expired'],
    [{ status: 'sold_out', accepting: false, available: 0 }, 'Sold out'],
    [{ status: 'sold_out', accepting: false, available: 0, single_use: true }, 'Already paid'],
    [{ accepting: false }, 'Payments are not accepted right now'],
    [{ accepting: false, busy_currencies: ['BTC', 'LTC'] }, 'All addresses are in use'],
  ] as const)('shows no form but the reason while it sells nothing: %j', async (changes, words) => {
    show(changes as Parameters<typeof paymentLink>[0]);
    await open();
    expect(await at('link-closed').innerText()).toContain(words);
    expect(await at('buy-form').count()).toBe(0);
    expect(await auditPage(page, `link-${words.replaceAll(' ', '-').toLowerCase()}`)).toEqual({});
  });

  it('solves the proof of work where the link asks for one', async () => {
    show({ proof_of_work: proofOfWork() });
    await open();
    expect(await at('proof-note').innerText()).toContain('short calculation');
    await at('buy-submit').click();
    await at('pay').waitFor();
    expect(server.buyer.bought[0]?.proof_of_work).toMatch(/^[\w-]{38}\.\d+$/);
  });

  it('never renders texts of the seller as markup', async () => {
    show({ title: '<img src=x onerror=alert(1)>', description: '<script>alert(1)</script>' });
    await open();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.locator('h1').innerText()).toContain('<img src=x');
  });

  it('works without JavaScript, errors included', async () => {
    show({ price: { amount: null, currency: 'EUR' } });
    const plain = await openPage(browser, { javaScriptEnabled: false });
    const here = (testId: string) => plain.page.locator(`[data-testid="${testId}"]`);
    await plain.page.goto(`${server.url}/l/tok_board`);
    await here('amount').fill('lots');
    await here('buy-submit').click();
    expect(await here('amount-error').innerText()).toContain('not accepted');
    expect(await here('amount').inputValue()).toBe('lots');
    await here('amount').fill('7,5');
    await here('buy-submit').click();
    await here('pay').waitFor();
    expect(server.buyer.bought).toMatchObject([{ price_amount: '7.5' }]);
    await plain.context.close();
  });

  it('answers a form with an unknown currency', async () => {
    const answer = await fetch(`${server.url}/l/tok_board`, {
      method: 'POST',
      body: new URLSearchParams({ currency: 'zz', amount: '1' }),
    });
    expect(answer.status).toBeLessThan(500);
    expect(await answer.text()).toContain('data-testid="buy-form"');
  });

  it.each([320, 390])('stays inside its card with long texts: %i px', async (width) => {
    show({ title: 'W'.repeat(100), description: 'Donaudampfschifffahrt'.repeat(20), available: 1000 });
    const phone = await openPage(browser, { viewport: { width, height: 700 }, isMobile: true });
    await phone.page.goto(`${server.url}/l/tok_board`);
    expect(await findCardOverflow(phone.page)).toEqual([]);
    await takeScreenshot(phone.page, `link-${width}-long`);
    await phone.context.close();
  });
});
