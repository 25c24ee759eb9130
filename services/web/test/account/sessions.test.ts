import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditPage } from '../support/apis/audit-page.ts';
import { connectBrowser, openPage, SIZES } from '../support/browser.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';
import { takeScreenshot } from '../support/screenshots.ts';

/* The session of the browser, and the list of all sessions. */

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
const lines = () => at('session').allInnerTexts();

async function openSettings(language = 'en'): Promise<void> {
  await page.goto(`${server.url}/account/login?lang=${language}`);
  await at('email').fill('merchant@example.com');
  await at('password').fill('long enough');
  await at('login-submit').click();
  await page.locator('.shell').waitFor();
  await page.evaluate(() => {
    history.pushState(null, '', '/account/settings');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await at('session').first().waitFor();
}

it('lists each session with its device, address and last use, and ends one after a question', async () => {
  await openSettings();
  const [current, other, unknown] = await lines();
  expect(current).toContain('Firefox on Linux');
  expect(current).toContain('This session');
  expect(other).toContain('Safari on iOS');
  expect(other).toContain('2001:db8:85a3:8d3:1319:8a2e:370:7348');
  expect(unknown).toContain('Unknown device');
  await at('sessions').scrollIntoViewIfNeeded();
  await takeScreenshot(page, 'sessions');
  expect(await auditPage(page, 'sessions')).toEqual({});
  // The current session is ended with the button of the header.
  expect(await at('end-session').count()).toBe(2);
  await at('end-session').first().click();
  await page.locator('[data-testid="end-session-dialog"][open]').waitFor();
  expect(await page.locator('dialog[open]').innerText()).toContain('Log out Safari on iOS?');
  await page.locator('dialog[open] [data-testid="end-session-confirm"]').click();
  await expect.poll(async () => (await lines()).length).toBe(2);
  expect((await lines()).join()).not.toContain('Safari');
});

it('shows the list again if the session has ended meanwhile', async () => {
  await openSettings();
  server.state.openSessions.splice(1, 1);
  await at('end-session').first().click();
  await page.locator('dialog[open] [data-testid="end-session-confirm"]').click();
  await expect.poll(async () => (await lines()).length).toBe(2);
  expect(await at('problem').count()).toBe(0);
});

it('ends all other sessions after a question, in German', async () => {
  await openSettings('de');
  await takeScreenshot(page, 'sessions-german');
  expect(await auditPage(page, 'sessions-german')).toEqual({});
  await at('end-others').click();
  await at('end-others-confirm').click();
  await expect.poll(async () => (await lines()).length).toBe(1);
  expect((await lines())[0]).toContain('Diese Sitzung');
  await at('end-others').waitFor({ state: 'detached' });
});

describe('the session of the browser', () => {
  it('is kept where no script can read it, and holds for a new tab, until one of the tabs logs out', async () => {
    await openSettings();
    const kept = await page.evaluate(() =>
      [document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join(),
    );
    expect(kept).toContain('paywatch.session');
    expect(kept).not.toContain('ses_');
    const tab = await context.newPage();
    await tab.goto(`${server.url}/account/keys`);
    await tab.locator('.shell').waitFor();
    await tab.locator('[data-testid="menu"]').click();
    await tab.locator('[data-testid="logout"]').click();
    await tab.locator('[data-testid="login"]').waitFor();
    expect(await tab.locator('[data-testid="login"]').innerText()).toContain('This browser stays logged in');
    await at('login').waitFor();
    expect(await at('end-reason').innerText()).toContain('ended');
    // A login in one tab opens the other one, too.
    await tab.locator('[data-testid="email"]').fill('merchant@example.com');
    await tab.locator('[data-testid="password"]').fill('long enough');
    await tab.locator('[data-testid="login-submit"]').click();
    await page.locator('.shell').waitFor();
  });

  it('shows the account of the last login in every tab', async () => {
    await openSettings();
    const tab = await context.newPage();
    await tab.goto(`${server.url}/account/settings`);
    await tab.locator('.shell').waitFor();
    server.state.me.account.email = 'other@example.com';
    // As a login to another account in a third tab.
    await tab.evaluate(() => localStorage.setItem('paywatch.session', String(Date.now() + 1_000_000)));
    await expect.poll(() => at('account-email').innerText()).toBe('other@example.com');
  });

  it('is kept, and the reader told, if the logout does not reach the API', async () => {
    await openSettings();
    await page.route('**/v1/auth/logout', (route) => route.abort());
    await at('menu').click();
    await at('logout').click();
    await page.locator('.nav [data-testid="problem"]').waitFor();
    await takeScreenshot(page, 'logout-failed');
    expect(await auditPage(page, 'logout-failed')).toEqual({});
    expect(server.state.sessions.size).toBe(1);
    await page.unroute('**/v1/auth/logout');
    await at('logout').click();
    await at('login').waitFor();
    expect(server.state.sessions.size).toBe(0);
  });

  it('that the API has ended leads to the login in each tab at its next action', async () => {
    await openSettings();
    const tab = await context.newPage();
    await tab.goto(`${server.url}/account/keys`);
    // The screen has loaded everything.
    await tab.locator('[data-testid="empty"]').waitFor();
    server.state.sessions.clear();
    await tab.locator('[data-testid="key-create"]').click();
    await tab.locator('[data-testid="end-reason"]').waitFor();
    await at('login').waitFor();
    expect(new URL(page.url()).pathname).toBe('/account/login');
  });
});

/** Creates a key as if the login had been long ago, until the password is asked for. */
async function createKey(language = 'en'): Promise<void> {
  await openSettings(language);
  server.state.isPasswordNeeded = true;
  await page.evaluate(() => {
    history.pushState(null, '', '/account/keys');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await at('key-create').click();
  await at('confirm-password').waitFor();
}
const creations = () => server.state.calls.filter(({ id }) => id === 'createApiKey');

describe('a change long after the login', () => {
  it.each(['en', 'de'])(
    'asks for the password, and is carried out with the right one (%s)',
    async (language) => {
      await createKey(language);
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('confirmed_password');
      await takeScreenshot(page, `confirm-password-${language}`);
      expect(await auditPage(page, `confirm-password-${language}`)).toEqual({});
      await page.keyboard.type('wrong\n');
      await at('confirmed_password-error').waitFor();
      await at('confirmed_password').fill('');
      await page.keyboard.type('long enough\n');
      await at('api-key-token').waitFor();
      expect(await at('confirm-password').count()).toBe(0);
      expect(creations()).toHaveLength(2);
    },
  );

  it('is not carried out if the reader cancels, and says why', async () => {
    await createKey();
    await page.keyboard.press('Escape');
    await at('problem').waitFor();
    expect(await at('problem').innerText()).toContain('needs your password');
    expect(creations()).toHaveLength(1);
  });
});
