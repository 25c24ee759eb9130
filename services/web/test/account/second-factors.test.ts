import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditPage } from '../support/apis/audit-page.ts';
import { connectBrowser, openPage, SIZES } from '../support/browser.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';
import { takeScreenshot } from '../support/screenshots.ts';
import { firstFactor, RECOVERY_CODES, RIGHT_CODE } from '../support/apis/second-factor-api.ts';

/* Two-factor login: turning it on, logging in with it, and giving a code before a change. */

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
const focused = () => page.evaluate(() => document.activeElement?.id);

async function givePassword(language = 'en'): Promise<void> {
  await page.goto(`${server.url}/account/login?lang=${language}`);
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

const protect = () => Object.assign(server.state.second, { factors: [firstFactor], codesLeft: 9 });

describe('the panel', () => {
  it('adds an app by its QR code, shows the recovery codes until they are kept, and removes the app', async () => {
    await openSettings();
    expect(await at('second-factors-state').innerText()).toContain('Off.');
    await at('add-factor').click();
    await expect.poll(focused).toBe('factor_name');
    await at('factor_name').fill('My phone');
    await at('factor_password').fill('wrong');
    await at('factor-next').click();
    expect(await at('factor_password-error').innerText()).toBe('The current password is wrong.');
    await at('factor_password').fill('long enough');
    await at('factor-next').click();
    await at('qr').waitFor();
    await expect.poll(focused).toBe('factor_code');
    await takeScreenshot(page, 'second-factor-qr');
    expect(await auditPage(page, 'second-factor-qr')).toEqual({});
    await at('factor_code').fill('000000');
    await at('factor-confirm').click();
    await at('factor_code-error').waitFor();
    await at('factor_code').fill(RIGHT_CODE);
    await page.keyboard.press('Enter');
    expect((await at('recovery-codes').innerText()).split('\n')).toEqual(RECOVERY_CODES);
    await takeScreenshot(page, 'recovery-codes');
    expect(await auditPage(page, 'recovery-codes')).toEqual({});
    await at('codes-kept').click();
    await at('recovery-codes').waitFor({ state: 'detached' });
    expect(await at('second-factor').innerText()).toContain('My phone');
    await expect.poll(() => at('second-factors-state').innerText()).toContain('On.');
    await at('remove-factor').click();
    await at('remove-factor-confirm').click();
    await at('second-factor').waitFor({ state: 'detached' });
  });

  it.each(['naming', 'confirming'])(
    'can be left while %s the app, which then protects nothing',
    async (step) => {
      await openSettings();
      await at('add-factor').click();
      if (step === 'confirming') {
        await at('factor_name').fill('My phone');
        await at('factor_password').fill('long enough');
        await at('factor-next').click();
        await at('qr').waitFor();
      }
      await at('factor-cancel').click();
      await at('add-factor').waitFor();
      expect(await at('second-factors-state').innerText()).toContain('Off.');
      expect(server.state.second.factors).toEqual([]);
    },
  );

  it('replaces the recovery codes after a question', async () => {
    protect();
    await openProtected('de');
    expect(await at('codes-left').innerText()).toBe('Noch 9 Wiederherstellungscodes.');
    await takeScreenshot(page, 'second-factors-german');
    expect(await auditPage(page, 'second-factors-german')).toEqual({});
    await at('replace-codes').click();
    await at('replace-codes-confirm').click();
    await at('recovery-codes').waitFor();
    await expect.poll(() => at('codes-left').innerText()).toBe('Noch 10 Wiederherstellungscodes.');
  });
});

it.each([
  ['en', '1 recovery code left.'],
  ['de', 'Noch 1 Wiederherstellungscode.'],
])('the panel counts the last recovery code (%s)', async (language, text) => {
  protect();
  server.state.second.codesLeft = 1;
  await openProtected(language);
  expect(await at('codes-left').innerText()).toBe(text);
});

async function openProtected(language = 'en'): Promise<void> {
  await givePassword(language);
  await at('code').fill(RIGHT_CODE);
  await at('second-step-submit').click();
  await page.locator('.shell').waitFor();
  await page.evaluate(() => {
    history.pushState(null, '', '/account/settings');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await at('second-factors-state').waitFor();
}

describe('a login', () => {
  it.each(['en', 'de'])(
    'asks for the code after the password, with the keyboard alone (%s)',
    async (language) => {
      protect();
      await givePassword(language);
      await at('second-step').waitFor();
      await takeScreenshot(page, `second-step-${language}`);
      expect(await auditPage(page, `second-step-${language}`)).toEqual({});
      await expect.poll(focused).toBe('code');
      expect(await at('code').getAttribute('autocomplete')).toBe('one-time-code');
      await page.keyboard.type('000000\n');
      await at('code-error').waitFor();
      await expect.poll(focused).toBe('code');
      await at('code').fill('');
      await page.keyboard.type(`${RIGHT_CODE}\n`);
      await page.locator('.shell').waitFor();
    },
  );

  it('leads back to the password', async () => {
    protect();
    await givePassword();
    await at('second-step-back').click();
    await at('password').waitFor();
    expect(await at('second-step').count()).toBe(0);
  });
});

async function replaceCodes(): Promise<void> {
  await at('replace-codes').click();
  await at('replace-codes-confirm').click();
}

/** Opens the dialog, in which `change` waits for a code. */
async function openWaiting(change: () => Promise<void>): Promise<void> {
  protect();
  await openProtected();
  server.state.second.isProofNeeded = true;
  await change();
  await at('reauthentication').waitFor();
}

describe('a change', () => {
  it('that needs a code asks for it, and is carried out after it', async () => {
    protect();
    await openProtected();
    server.state.second.isProofNeeded = true;
    await at('replace-codes').click();
    await at('replace-codes-confirm').click();
    await at('reauthentication').waitFor();
    await expect.poll(focused).toBe('reauthentication_code');
    await takeScreenshot(page, 'reauthentication');
    expect(await auditPage(page, 'reauthentication')).toEqual({});
    await page.keyboard.type('000000\n');
    await at('reauthentication_code-error').waitFor();
    await at('reauthentication_code').fill(RIGHT_CODE);
    await at('reauthentication-submit').click();
    await at('recovery-codes').waitFor();
    expect(await at('reauthentication').count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('result');
  });

  it('is carried out together with others that wait for the same code', async () => {
    await openWaiting(async () => {
      await at('add-factor').click();
      await at('factor_name').fill('Tablet');
      await at('factor_password').fill('long enough');
      await at('replace-codes').click();
      await page.evaluate(() => {
        for (const id of ['factor-next', 'replace-codes-confirm'])
          document.querySelector<HTMLElement>(`[data-testid="${id}"]`)?.click();
      });
    });
    await at('reauthentication_code').fill(RIGHT_CODE);
    await at('reauthentication-submit').click();
    await at('recovery-codes').waitFor();
    await at('qr').waitFor();
    expect(server.state.calls.filter(({ id }) => id === 'reauthenticate')).toHaveLength(1);
  });

  it('is not carried out after the reader went back', async () => {
    await openWaiting(replaceCodes);
    await page.goBack();
    await at('reauthentication').waitFor({ state: 'detached' });
    expect(server.state.calls.filter(({ id }) => id === 'replaceRecoveryCodes')).toHaveLength(1);
  });

  it('is not carried out in the account of a later login in another tab', async () => {
    await openWaiting(replaceCodes);
    const tab = await context.newPage();
    await tab.goto(`${server.url}/account`);
    await tab.evaluate(() => localStorage.setItem('paywatch.session', String(Date.now() + 1_000_000)));
    await at('reauthentication').waitFor({ state: 'detached' });
    expect(server.state.calls.filter(({ id }) => id === 'replaceRecoveryCodes')).toHaveLength(1);
  });

  it('leads to the login if the session has ended meanwhile', async () => {
    await openWaiting(replaceCodes);
    server.state.sessions.clear();
    await at('reauthentication_code').fill(RIGHT_CODE);
    await at('reauthentication-submit').click();
    await at('login-form').waitFor();
    await at('reauthentication').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/account/login');
  });

  it('is not carried out if the reader cancels, and says why', async () => {
    protect();
    await openProtected();
    server.state.second.isProofNeeded = true;
    await at('add-factor').click();
    await at('factor_name').fill('Tablet');
    await at('factor_password').fill('long enough');
    await at('factor-next').click();
    await at('reauthentication').waitFor();
    await page.keyboard.press('Escape');
    await at('problem').waitFor();
    expect(await at('problem').innerText()).toContain('authenticator app');
    expect(server.state.calls.filter(({ id }) => id === 'addSecondFactor')).toHaveLength(1);
    expect(await at('factor_name').inputValue()).toBe('Tablet');
  });
});
