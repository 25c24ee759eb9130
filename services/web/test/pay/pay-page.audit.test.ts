import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectBrowser, openPage } from '../support/browser.ts';
import { allInvoiceStates } from '../support/invoices.ts';
import { findOverflow, auditPage } from '../support/apis/audit-page.ts';
import { startPayerServer } from '../support/apis/payer-api.ts';
import { takeScreenshot } from '../support/screenshots.ts';

const LONG_ARABIC_NAMES = {
  project_name: 'متجر الأدوات الموسيقية والكتب النادرة في المدينة القديمة 1947',
  donor_name: 'عبد الرحمن بن محمد الأندلسي القرطبي الكبير',
  donor_message: 'شكراً جزيلاً على هذا البث الرائع! أتمنى لكم التوفيق دائماً 100% — Grace',
};

let browser: Browser;
let server: Awaited<ReturnType<typeof startPayerServer>>;
let opened: Awaited<ReturnType<typeof openPage>>;
beforeAll(async () => {
  [browser, server] = await Promise.all([connectBrowser(), startPayerServer()]);
  opened = await openPage(browser);
});
afterAll(() => Promise.all([browser.close(), server.close()]));

describe('the payment page', () => {
  it.each(Object.keys(allInvoiceStates()))('passes the audit in state %s', async (name) => {
    const state = allInvoiceStates(Date.now())[name];
    if (state === undefined) throw new Error(name);
    server.put({ ...state, public_id: 'inv_look' });
    const { page, pageErrors } = opened;
    await page.goto(`${server.url}/pay/inv_look`);
    await page.locator('[data-testid=pay]').waitFor();
    expect(await auditPage(page, `pay-${name}`)).toEqual({});
    expect(pageErrors).toEqual([]);
  });

  it.each(['new', 'pending-short', 'confirmed-donation'])(
    'passes the audit in right-to-left layout with long names in state %s',
    async (name) => {
      const state = allInvoiceStates(Date.now())[name];
      if (state === undefined) throw new Error(name);
      server.put({ ...state, ...LONG_ARABIC_NAMES, public_id: 'inv_look' });
      const { page, pageErrors } = opened;
      await page.goto(`${server.url}/pay/inv_look`);
      await page.locator('[data-testid=pay]').waitFor();
      await page.locator('[data-testid=details] summary').click();
      await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
      expect(await auditPage(page, `pay-${name}-rtl`)).toEqual({});
      const turned = await page
        .locator('[data-testid=address], [data-testid=amount-due] bdi, [data-testid=public-id]')
        .evaluateAll((parts) => parts.filter((part) => getComputedStyle(part).direction !== 'ltr').length);
      expect(turned).toBe(0);
      expect(pageErrors).toEqual([]);
    },
  );

  it('fits a phone in German in every state', async () => {
    const { page, context } = await openPage(browser, { locale: 'de-DE' });
    const wide: string[] = [];
    for (const [name, state] of Object.entries(allInvoiceStates(Date.now()))) {
      server.put({ ...state, public_id: 'inv_look' });
      await page.goto(`${server.url}/pay/inv_look`);
      await page.locator('[data-testid=pay]').waitFor();
      if ((await findOverflow(page)).length > 0) wide.push(name);
      await takeScreenshot(page, `pay-${name}-german`);
    }
    expect(wide).toEqual([]);
    await context.close();
  });
});
