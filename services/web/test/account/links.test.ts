import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { auditPage, findCardOverflow } from '../support/apis/audit-page.ts';
import { connectBrowser, openPage, SIZES } from '../support/browser.ts';
import { ownersLink } from '../support/link-handlers.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';

/* The screen of payment links. */

let browser: Browser;
let server: Awaited<ReturnType<typeof startMerchantServer>>;
let page: Page;
let context: BrowserContext;
let pageErrors: string[];

beforeAll(async () => {
  [browser, server] = await Promise.all([connectBrowser(), startMerchantServer()]);
});
afterAll(() => Promise.all([browser.close(), server.close()]));
beforeEach(async () => {
  server.reset();
  Object.assign(server.state, { email: 'merchant@example.com', password: 'long enough' });
  server.state.links = [ownersLink()];
  ({ page, context, pageErrors } = await openPage(browser, { viewport: SIZES.phone }));
});
afterEach(async () => {
  await context.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

const at = (testId: string) => page.locator(`[data-testid="${testId}"]`);
const bodiesOf = (id: string) => server.state.calls.filter((call) => call.id === id).map(({ body }) => body);

async function openLinks(language = 'en'): Promise<void> {
  await page.goto(`${server.url}/account/login?lang=${language}`);
  await at('email').fill('merchant@example.com');
  await at('password').fill('long enough');
  await at('login-submit').click();
  await page.locator('.shell').waitFor();
  await page.evaluate(() => {
    history.pushState(null, '', '/account/links');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await at('link-form').waitFor();
}

it.each(['en', 'de'])(
  'shows each link with its terms, URL and QR code, and passes the audit: %s',
  async (language) => {
    await openLinks(language);
    expect(await at('link-terms').innerText()).toBe(
      language === 'en' ? '19.99\u00a0EUR · 12 of 50 left' : '19,99\u00a0EUR · 12 von 50 verfügbar',
    );
    expect(await at('link-url').innerText()).toBe(ownersLink().url);
    await at('link-qr').click();
    await page.locator('[data-testid=link] svg[role=img]').waitFor();
    expect(await auditPage(page, `links-${language}`)).toEqual({});
    expect(await findCardOverflow(page)).toEqual([]);
  },
);

it.each([
  ['price', '7,50', { price: { amount: '7.50', currency: 'EUR' } }],
  ['coins', '0.0015', { amount: '150000', currencies: ['BTC'] }],
  ['openPrice', null, { price: { amount: null, currency: 'EUR' } }],
  ['open', null, {}],
] as const)('creates a link with the terms of the form: %s', async (kind, amount, terms) => {
  await openLinks();
  await at('link-title').fill('Coffee');
  await at('link-kind').selectOption(kind);
  if (amount !== null) await at('link-amount').fill(amount);
  await at('link-use').selectOption('stock');
  await at('link-stock').fill('5');
  await at('link-create').click();
  await page.getByRole('heading', { name: 'Coffee' }).waitFor();
  expect(bodiesOf('createPaymentLink')).toEqual([{ title: 'Coffee', stock: 5, ...terms }]);
  expect(await at('link-title').inputValue()).toBe('');
});

it('shows the point of sale of a link that can be one', async () => {
  const pos_url = 'https://pay.example/pos/Vb3kQ8sXn5RtLw2ZpYd9Hc';
  const price = { amount: null, currency: 'EUR' };
  server.state.links = [ownersLink({ pos_url, price, stock: null, available: null })];
  await openLinks();
  await at('pos-summary').press('Enter');
  expect(await at('pos-url').innerText()).toBe(pos_url);
  await at('pos-qr').click();
  await at('pos').locator('svg[role=img]').waitFor();
  expect(await auditPage(page, 'links-pos')).toEqual({});
});

it('shows an error at its field', async () => {
  await openLinks();
  await at('link-create').click();
  await at('link-title-error').waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('link-title');
});

it('disables and enables a link, replaces its URL and deletes it, after a question', async () => {
  await openLinks();
  await at('link-toggle').click();
  await page.locator('[data-testid=link-status]', { hasText: 'Disabled' }).waitFor();
  await at('link-toggle').click();
  await page.locator('[data-testid=link-status]', { hasText: 'Open' }).waitFor();
  expect(bodiesOf('updatePaymentLink')).toEqual([{ disabled: true }, { disabled: false }]);
  await at('link-rotate').click();
  await at('link-rotate-confirm').click();
  await page.locator('[data-testid=link-url]', { hasText: 'https://pay.example/l/tok_new' }).waitFor();
  await at('link-remove').click();
  await at('link-remove-confirm').click();
  await at('empty').waitFor();
  expect(await auditPage(page, 'links-empty')).toEqual({});
});

it.each(['en', 'de'])(
  'offers the HTML of a button for other sites, with the title as text: %s',
  async (language) => {
    server.state.links = [ownersLink({ title: 'Tea & <b>biscuits</b>' })];
    await openLinks(language);
    await at('site-button-summary').press('Enter');
    expect(await at('site-button-code').innerText()).toBe(
      '<script src="https://pay.example/embed.js" async></script>\n' +
        `<a href="${ownersLink().url}" data-paywatch>Tea &amp; &lt;b&gt;biscuits&lt;/b&gt;</a>`,
    );
    await at('no-sites').waitFor();
    expect(await auditPage(page, `links-button-${language}`)).toEqual({});
    expect(await findCardOverflow(page)).toEqual([]);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await at('site-button-copy').click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('data-paywatch');
  },
);

it('saves the sites that may show the modal, and explains a refused one', async () => {
  await openLinks();
  await at('embed_sites').fill('https://shop.example/\n\n  http://localhost:8080 \nhttps://shop.example');
  await at('sites-save').click();
  await at('sites-saved').waitFor();
  expect(bodiesOf('updateProject')).toEqual([
    { embed_sites: ['https://shop.example', 'http://localhost:8080'] },
  ]);
  expect(await at('embed_sites').inputValue()).toBe('https://shop.example\nhttp://localhost:8080');
  await at('site-button-summary').press('Enter');
  expect(await at('no-sites').count()).toBe(0);
  await at('embed_sites').fill('https://*.shop.example');
  await at('sites-save').click();
  expect(await at('embed_sites-error').innerText()).toContain('without path or wildcard');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('embed_sites');
  expect(await auditPage(page, 'links-sites-refused')).toEqual({});
});
