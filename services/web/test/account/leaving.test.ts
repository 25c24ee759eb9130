import { text as readText } from 'node:stream/consumers';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditPage, findCardOverflow } from '../support/apis/audit-page.ts';
import { connectBrowser, openPage, SIZES } from '../support/browser.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';
import { takeScreenshot } from '../support/screenshots.ts';

/* How owners take their data along. */

let browser: Browser;
let server: Awaited<ReturnType<typeof startMerchantServer>>;
let page: Page;
let context: BrowserContext;
let pageErrors: string[];

beforeAll(async () => {
  [browser, server] = await Promise.all([connectBrowser(), startMerchantServer()]);
});
afterAll(() => Promise.all([browser.close(), server.close()]));
beforeEach(() => {
  server.reset();
  Object.assign(server.state, { email: 'merchant@example.com', password: 'long enough' });
});
afterEach(async () => {
  await context.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

const at = (testId: string) => page.locator(`[data-testid="${testId}"]`);

async function open(language = 'en', size: keyof typeof SIZES = 'phone'): Promise<void> {
  ({ page, context, pageErrors } = await openPage(browser, { viewport: SIZES[size] }));
  await page.goto(`${server.url}/account/login?lang=${language}`);
  await at('email').fill('merchant@example.com');
  await at('password').fill('long enough');
  await at('login-submit').click();
  await page.locator('.shell').waitFor();
  await page.goto(`${server.url}/account/settings?lang=${language}`);
  await at('export-account').waitFor();
}

async function download(testId: string): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), at(testId).click()]);
  return { name: file.suggestedFilename(), text: await readText(await file.createReadStream()) };
}

describe.each(['phone', 'desktop'] as const)('on a %s', (size) => {
  it.each(['en', 'de'])('the downloads of all data pass the audit: %s', async (language) => {
    await open(language, size);
    await at('leaving').scrollIntoViewIfNeeded();
    await takeScreenshot(page, `leaving-${size}-${language}`);
    expect(await auditPage(page, `leaving-${size}-${language}`)).toEqual({});
    expect(await findCardOverflow(page)).toEqual([]);
    await at('delete-account').click();
    await at('delete-submit').scrollIntoViewIfNeeded();
    await takeScreenshot(page, `leaving-delete-${size}-${language}`);
    expect(await auditPage(page, `leaving-delete-${size}-${language}`)).toEqual({});
    expect(await findCardOverflow(page)).toEqual([]);
  });
});

it('deletes the account with its email and the password, by keyboard alone', async () => {
  await open();
  await at('delete-account').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('other@example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.type('a wrong one');
  await page.keyboard.press('Enter');
  await page.getByText('This is not the email of this account.').waitFor();
  await page.locator('#delete_email').fill('merchant@example.com');
  await page.locator('#delete_email').press('Enter');
  await page.getByText('The current password is wrong.').waitFor();
  await page.locator('#delete_password').fill('long enough');
  await page.locator('#delete_password').press('Enter');
  await page.getByText('Your account was deleted.').waitFor();
  expect(server.state.sessions.size).toBe(0);
});

it('keeps the account if the form is closed again', async () => {
  await open();
  await at('delete-account').click();
  await at('delete-cancel').click();
  await at('delete-account').waitFor();
  expect(server.state.sessions.size).toBe(1);
});

it('downloads the account as a file that people can read', async () => {
  await open();
  const { name, text } = await download('export-account');
  expect(name).toBe('paywatch-account.json');
  expect(JSON.parse(text)).toMatchObject({ account: { email: 'merchant@example.com' }, wallets: [] });
  expect(text).toContain('\n  "account": {');
});

it.each([
  ['export-invoices', 'paywatch-invoices.csv'],
  ['export-payments', 'paywatch-payments.csv'],
  ['export-events', 'paywatch-events.csv'],
  ['export-audit', 'paywatch-audit-log.csv'],
])('downloads the file of %s', async (testId, expected) => {
  await open();
  expect((await download(testId)).name).toBe(expected);
});

it('asks for the password where it was given long ago', async () => {
  await open();
  server.state.isPasswordNeeded = true;
  await at('export-account').click();
  const dialog = page.locator('dialog[open]');
  await dialog.locator('input[type=password]').fill('long enough');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.locator('button[type=submit]').click(),
  ]);
  expect(file.suggestedFilename()).toBe('paywatch-account.json');
});
