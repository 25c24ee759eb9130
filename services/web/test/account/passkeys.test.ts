import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditPage } from '../support/apis/audit-page.ts';
import { connectBrowser, openPage, SIZES } from '../support/browser.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';
import { takeScreenshot } from '../support/screenshots.ts';
import { firstFactor, RECOVERY_CODES } from '../support/apis/second-factor-api.ts';

/* Passkeys of the browser's virtual authenticator. The whole way to the real API is in test/browser. */

let browser: Browser;
let server: Awaited<ReturnType<typeof startMerchantServer>>;
let origin: string;
let page: Page;
let context: BrowserContext;
let pageErrors: string[];

beforeAll(async () => {
  [browser, server] = await Promise.all([connectBrowser(), startMerchantServer()]);
  origin = server.url.replace('127.0.0.1', 'localhost');
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

async function addAuthenticator(): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function givePassword(language: string): Promise<void> {
  await page.goto(`${origin}/account/login?lang=${language}`);
  await at('email').fill('merchant@example.com');
  await at('password').fill('long enough');
  await at('login-submit').click();
}

async function openSettings(language = 'en'): Promise<void> {
  await givePassword(language);
  await page.locator('.shell').waitFor();
  await page.evaluate(() => {
    history.pushState(null, '', '/account/settings');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await at('second-factors-state').waitFor();
}

async function fillPasskey(name: string): Promise<void> {
  await at('add-passkey').click();
  await at('passkey_name').fill(name);
  await at('passkey_password').fill('long enough');
}

describe.each(['en', 'de'])('passkeys (%s)', (language) => {
  it('are added beside apps, shown with their kind, renamed, and used before a change', async () => {
    await addAuthenticator();
    await openSettings(language);
    await fillPasskey('My laptop');
    await at('passkey_password').fill('wrong');
    await at('passkey-create').click();
    await at('passkey_password-error').waitFor();
    await at('passkey_password').fill('long enough');
    await takeScreenshot(page, `passkey-form-${language}`);
    expect(await auditPage(page, `passkey-form-${language}`)).toEqual({});
    await at('passkey-create').click();
    expect((await at('recovery-codes').innerText()).split('\n')).toEqual(RECOVERY_CODES);
    await at('codes-kept').click();
    server.state.second.factors.push({ ...firstFactor });
    await at('rename-factor').first().click();
    await at('rename-form').first().locator('input').fill('Work laptop');
    await takeScreenshot(page, `passkey-rename-${language}`);
    await at('rename-submit').first().click();
    await at('second-factor').locator('strong', { hasText: 'Work laptop' }).waitFor();
    await takeScreenshot(page, `passkeys-${language}`);
    expect(await auditPage(page, `passkeys-${language}`)).toEqual({});
    server.state.second.isProofNeeded = true;
    await at('replace-codes').click();
    await at('replace-codes-confirm').click();
    await at('reauthentication-passkey').waitFor();
    await takeScreenshot(page, `reauthentication-passkey-${language}`);
    expect(await auditPage(page, `reauthentication-passkey-${language}`)).toEqual({});
    await at('reauthentication-passkey').click();
    await at('recovery-codes').waitFor();
  });

  it('log in alone, and after the password', async () => {
    await addAuthenticator();
    await openSettings(language);
    await fillPasskey('My laptop');
    await at('passkey-create').click();
    await at('recovery-codes').waitFor();
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${origin}/account/login?lang=${language}`);
    await at('passkey-login').waitFor();
    await takeScreenshot(page, `passkey-login-${language}`);
    expect(await auditPage(page, `passkey-login-${language}`)).toEqual({});
    await at('passkey-login').click();
    await page.locator('.shell').waitFor();
    await page.evaluate(() => localStorage.clear());
    await givePassword(language);
    await at('second-step-passkey').waitFor();
    await takeScreenshot(page, `second-step-passkey-${language}`);
    expect(await auditPage(page, `second-step-passkey-${language}`)).toEqual({});
    await at('second-step-passkey').click();
    await page.locator('.shell').waitFor();
  });
});

it('a login says what to do if no passkey is used, and if it is refused', async () => {
  await page.goto(`${origin}/account/login`);
  await addAuthenticator();
  await at('passkey-login').click();
  expect(await at('passkey-failed').innerText()).toContain('No passkey was used.');
  await openSettings();
  await fillPasskey('My laptop');
  await at('passkey-create').click();
  await at('recovery-codes').waitFor();
  server.state.second.factors = [];
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${origin}/account/login`);
  await at('passkey-login').click();
  await expect.poll(() => at('passkey-failed').innerText()).toContain('does not belong');
});

it('an IP address offers no passkeys', async () => {
  await page.goto(`${server.url}/account/login`);
  await at('login-form').waitFor();
  expect(await at('passkey-login').count()).toBe(0);
});
