import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditPage } from '../support/apis/audit-page.ts';
import { connectBrowser, openPage, SIZES } from '../support/browser.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';
import { walletState } from '../support/merchant-data.ts';

const NEW_ADDRESS = 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g';
const DAY = 86_400;

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
  server.state.me.project.wallets = [walletState()];
  ({ page, context, pageErrors } = await openPage(browser, { viewport: SIZES.desktop }));
});
afterEach(async () => {
  await context.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

const at = (testId: string) => page.locator(`[data-testid="${testId}"]`);

/** Lets another wallet wait until tomorrow. */
function addPending(): void {
  server.state.me.project.wallets.push(
    walletState({
      serving: false,
      effective_at: new Date(Date.now() + DAY * 1000).toISOString(),
      verification_address: NEW_ADDRESS,
    }),
  );
}

async function open(path: string, query = ''): Promise<void> {
  await page.goto(`${server.url}/account/login${query}`);
  await at('email').fill('merchant@example.com');
  await at('password').fill('long enough');
  await at('login-submit').click();
  await page.locator('.shell').waitFor();
  await page.evaluate((target) => {
    history.pushState(null, '', target);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/account${path}`);
}

describe('a wallet that waits', () => {
  it.each([
    ['', 'overview'],
    ['/invoices', 'invoices'],
    ['/wallets', 'wallets'],
    ['/webhooks', 'webhooks'],
    ['/settings', 'settings'],
  ])('is announced on the screen %s with its address and time', async (path, screen) => {
    addPending();
    server.state.hasStats = true;
    await open(path);
    await at(screen).waitFor();
    const banner = at('pending-change-BTC');
    await banner.waitFor();
    expect((await banner.innerText()).replaceAll(/\s/g, '')).toContain(NEW_ADDRESS);
    expect(await banner.locator('time').getAttribute('datetime')).toBe(
      server.state.me.project.wallets[1]?.effective_at,
    );
  });

  it('is not mentioned if there is none', async () => {
    await open('/wallets');
    await at('wallet-delay').waitFor();
    expect(await page.locator('.change').count()).toBe(0);
  });

  it('is cancelled with one click; the result takes the focus and the present wallet stays', async () => {
    addPending();
    await open('/wallets');
    await at('cancel-change-BTC').click();
    await at('change-cancelled').waitFor();
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('result');
    await at('pending-change-BTC').waitFor({ state: 'detached' });
    expect(await at('wallet-BTC').count()).toBe(1);
  });

  it('that took effect in the meantime cannot be cancelled, and the page says so', async () => {
    addPending();
    await open('/wallets');
    await at('cancel-change-BTC').waitFor();
    server.state.me.project.wallets = [walletState({ verification_address: NEW_ADDRESS })];
    await at('cancel-change-BTC').click();
    await at('too-late').waitFor();
    await at('pending-change-BTC').waitFor({ state: 'detached' });
    await at('wallet-BTC').getByText('Verified').waitFor();
    expect(await at('change-cancelled').count()).toBe(0);
  });

  it('shows no gap limit that would be changed for the other wallet', async () => {
    addPending();
    await open('/wallets');
    await at('pending-change-BTC').waitFor();
    await at('wallets').waitFor();
    expect(await at('gap-limit-BTC').count()).toBe(1);
    expect(await at('wallet-state-BTC').allInnerTexts()).toEqual(['Verified', 'Waiting']);
  });

  it('is not offered for a new invoice', async () => {
    server.state.me.project.wallets = [walletState({ currency: 'LTC' })];
    addPending();
    await open('/invoices/new');
    await at('invoice-form').waitFor();
    expect(await at('currency').inputValue()).toBe('LTC');
  });
});

describe('the delay', () => {
  it('can be lengthened, and a shorter one waits and can be kept off', async () => {
    await open('/wallets');
    await at('delay').selectOption(String(7 * DAY));
    await at('delay-save').click();
    await at('delay-saved').waitFor();
    await at('delay').selectOption(String(2 * DAY));
    await at('delay-save').click();
    await at('pending-delay').getByText('2 days').waitFor();
    await at('keep-delay').click();
    await at('change-cancelled').waitFor();
    await at('pending-delay').waitFor({ state: 'detached' });
    const sent = server.state.calls.filter(({ id }) => id === 'updateWalletChangeDelay');
    expect(sent.map(({ body }) => body)).toEqual([7, 2, 7].map((days) => ({ seconds: days * DAY })));
  });

  it('offers nothing below the delay of the deployment', async () => {
    await open('/wallets');
    await at('delay').waitFor();
    const offered = await at('delay')
      .locator('option')
      .evaluateAll((all) => all.map((option) => Number((option as HTMLOptionElement).value)));
    expect(Math.min(...offered)).toBe(DAY);
    expect(Math.max(...offered)).toBe(30 * DAY);
  });
});

describe('the link of the mail', () => {
  it.each([
    ['good', 'changes-cancelled'],
    ['late', 'nothing-cancelled'],
    ['used', 'problem'],
  ])('with the token %s needs a click and no session, and shows the outcome', async (token, shown) => {
    await page.goto(`${server.url}/account/cancel-wallet-changes#${token}`);
    await at('cancel-submit').waitFor();
    expect(page.url()).not.toContain('#');
    expect(server.state.calls).toEqual([]);
    await at('cancel-submit').click();
    await at(shown).waitFor();
    if (shown !== 'problem') await at('to-reset').waitFor();
  });
});

describe.each(['phone', 'desktop'] as const)('on a %s', (size) => {
  it.each(['en', 'de'])(
    'the banner, the panel and the page of the mail pass the audit: %s',
    async (language) => {
      await page.setViewportSize(SIZES[size]);
      addPending();
      server.state.me.project.wallet_change_delay = {
        seconds: 7 * DAY,
        minimum_seconds: DAY,
        next_seconds: DAY,
        next_at: new Date(Date.now() + 7 * DAY * 1000).toISOString(),
      };
      await open('/wallets', `?lang=${language}`);
      await at('pending-delay').waitFor();
      await at('wallet-delay').waitFor();
      expect(await auditPage(page, `wallet-changes-${language}-${size}`)).toEqual({});
      await page.goto(`${server.url}/account/cancel-wallet-changes?lang=${language}#good`);
      await at('cancel-submit').click();
      await at('changes-cancelled').waitFor();
      expect(await auditPage(page, `cancel-wallet-changes-${language}-${size}`)).toEqual({});
    },
  );
});
