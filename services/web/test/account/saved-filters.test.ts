import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  MAX_SAVED_FILTERS,
  parseSavedFilters,
  savedPath,
  withSaved,
} from '../../src/account/screens/invoices/saved-filters.ts';
import { connectBrowser, findAccessibilityViolations, openPage, SIZES } from '../support/browser.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';
import { takeScreenshot } from '../support/screenshots.ts';

describe('saved filters', () => {
  it('take the place of earlier ones of the same name, and the oldest make room', () => {
    const first = withSaved([], { name: 'Late', query: 'status=late_payment' });
    expect(withSaved(first, { name: 'Late', query: 'status=expired' })).toEqual([
      { name: 'Late', query: 'status=expired' },
    ]);
    const many = Array.from({ length: MAX_SAVED_FILTERS }, (_, index) => ({
      name: `${index}`,
      query: 'x=1',
    }));
    const added = withSaved(many, { name: 'new', query: 'status=new' });
    expect([added.length, added[0]?.name, added.at(-1)?.name]).toEqual([MAX_SAVED_FILTERS, '1', 'new']);
  });

  it.each([null, '', 'no JSON', '{}', '[1,{"name":""},{"name":"x","query":1}]'])('%s holds none', (text) => {
    expect(parseSavedFilters(text)).toEqual([]);
  });

  it('lead to the list of invoices and nowhere else', () => {
    expect(savedPath({ name: 'x', query: 'status=new&next=//evil.example' })).toBe(
      '/account/invoices?status=new',
    );
  });
});

describe('the list of invoices', () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof startMerchantServer>>;
  let page: Page;
  let context: BrowserContext;
  const at = (testId: string) => page.locator(`[data-testid="${testId}"]`);

  beforeAll(async () => {
    [browser, server] = await Promise.all([connectBrowser(), startMerchantServer()]);
  });
  afterAll(() => Promise.all([browser.close(), server.close()]));
  beforeEach(async () => {
    server.reset();
    Object.assign(server.state, { email: 'merchant@example.com', password: 'long enough' });
    ({ page, context } = await openPage(browser, { viewport: SIZES.phone }));
    await page.goto(`${server.url}/account/login`);
    await at('email').fill('merchant@example.com');
    await at('password').fill('long enough');
    await at('login-submit').click();
    await page.locator('.shell').waitFor();
  });
  afterEach(() => context.close());

  it('says so where the browser stores nothing, and shows nothing as saved', async () => {
    await page.goto(`${server.url}/account/invoices?status=late_payment`);
    await at('filter_name').fill('Late ones');
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await at('save-filters').click();
    expect(await at('filter_name-error').innerText()).toContain('Bookmark the page instead');
    expect(await at('saved-filter').count()).toBe(0);
  });

  it('saves filters under a name, shows them again after a reload, and forgets them', async () => {
    await page.goto(`${server.url}/account/invoices`);
    await at('invoices').waitFor();
    expect(await at('saved-filters').count()).toBe(0);
    await page.goto(`${server.url}/account/invoices?status=late_payment`);
    await at('filter_name').fill('  Late ones ');
    await at('save-filters').click();
    await at('saved-filter').waitFor();
    expect(await at('save-filters-form').count()).toBe(0);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await takeScreenshot(page, 'saved-filters-390');
    await page.goto(`${server.url}/account/invoices`);
    await at('saved-filter').click();
    await page.waitForURL('**/account/invoices?status=late_payment');
    expect(await at('saved-filter').getAttribute('aria-current')).toBe('page');
    expect(await at('saved-filter').innerText()).toBe('Late ones');
    await at('remove-saved-filter').click();
    await at('saved-filter').waitFor({ state: 'detached' });
    await page.reload();
    await at('save-filters-form').waitFor();
    expect(await at('saved-filter').count()).toBe(0);
  });

  it('shows nobody the filters of another member who uses the same browser', async () => {
    await page.goto(`${server.url}/account/invoices?status=late_payment`);
    await at('filter_name').fill('Late ones');
    await at('save-filters').click();
    await at('saved-filter').waitFor();
    server.state.me.account.email = 'colleague@example.com';
    await page.reload();
    await at('save-filters-form').waitFor();
    expect(await at('saved-filter').count()).toBe(0);
  });

  it('keeps what another tab saved meanwhile', async () => {
    const second = await context.newPage();
    await second.goto(`${server.url}/account/invoices?status=expired`);
    await second.locator('[data-testid=filter_name]').waitFor();
    await page.goto(`${server.url}/account/invoices?status=late_payment`);
    await at('filter_name').fill('Late ones');
    await at('save-filters').click();
    await at('saved-filter').waitFor();
    await second.locator('[data-testid=filter_name]').fill('Expired');
    await second.locator('[data-testid=save-filters]').click();
    await second.locator('[data-testid=saved-filter]').first().waitFor();
    expect(await second.locator('[data-testid=saved-filter]').allInnerTexts()).toEqual([
      'Late ones',
      'Expired',
    ]);
  });
});
