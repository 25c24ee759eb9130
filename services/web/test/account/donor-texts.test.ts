import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { auditPage, findCardOverflow } from '../support/apis/audit-page.ts';
import { connectBrowser, openPage, SIZES } from '../support/browser.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';

/* How long the names and messages of donors are kept. */

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
  ({ page, context, pageErrors } = await openPage(browser, { viewport: SIZES.phone }));
});
afterEach(async () => {
  await context.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

const at = (testId: string) => page.locator(`[data-testid="${testId}"]`);
const sent = () => server.state.calls.filter(({ id }) => id === 'updateProject').map(({ body }) => body);

async function open(language: string): Promise<void> {
  await page.goto(`${server.url}/account/login?lang=${language}`);
  await at('email').fill('merchant@example.com');
  await at('password').fill('long enough');
  await at('login-submit').click();
  await page.locator('.shell').waitFor();
  await page.goto(`${server.url}/account/donations?lang=${language}`);
  await at('donor-texts-form').waitFor();
}

it.each(['en', 'de'])(
  'saves after how many days texts are removed, and passes the audit: %s',
  async (language) => {
    await open(language);
    for (const [typed, days] of [
      ['30', 30],
      ['', null],
    ] as const) {
      await at('donor_texts_days').fill(typed);
      await at('donor-texts-save').click();
      await at('donor-texts-saved').waitFor();
      expect(sent().at(-1)).toEqual({ donor_texts_days: days });
    }
    expect(await auditPage(page, `donor-texts-${language}`)).toEqual({});
    expect(await findCardOverflow(page)).toEqual([]);
  },
);

it.each(['0', '3651', '1.5', '-1', '1e3', 'soon', '٣'])('sends nothing for %s', async (typed) => {
  await open('en');
  await at('donor_texts_days').fill(typed);
  await at('donor-texts-save').click();
  await at('donor_texts_days-error').waitFor();
  expect(sent()).toEqual([]);
});
