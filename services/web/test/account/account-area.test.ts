import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectBrowser, openPage } from '../support/browser.ts';
import { purchaseOf, walletState } from '../support/merchant-data.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';

// The normal flows are tested against the whole stack in test/browser; these tests cover what a real stack does not
// produce on demand.
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
  ({ page, context, pageErrors } = await openPage(browser));
});
afterEach(async () => {
  await context.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

const at = (testId: string) => page.locator(`[data-testid="${testId}"]`);

async function enter(): Promise<void> {
  await page.goto(`${server.url}/account/login`);
  await at('email').fill('merchant@example.com');
  await at('password').fill('long enough');
  await at('login-submit').click();
}

/** Opens a screen through the phone menu. */
async function goTo(item: string): Promise<void> {
  await at('menu').click();
  await at(item).click();
}

describe('the account area', () => {
  it('shows an error if its script cannot be loaded, and recovers after a reload', async () => {
    await page.route(/signed-in-area/, (route) => route.abort());
    await enter();
    await at('not-fetched').waitFor();
    await page.unroute(/signed-in-area/);
    await at('not-fetched').getByRole('button').click();
    await at('start').waitFor();
    expect(await at('not-fetched').count()).toBe(0);
  });

  it('keeps the input while the service is unreachable, and can submit it afterwards', async () => {
    await page.route('**/v1/auth/login', (route) => route.abort());
    await enter();
    await at('problem').waitFor();
    expect(await at('problem').innerText()).toContain('cannot be reached');
    expect(await at('email').inputValue()).toBe('merchant@example.com');
    await page.unroute('**/v1/auth/login');
    await at('login-submit').click();
    await at('start').waitFor();
    expect(await at('nav-start').innerText()).toContain('0/5');
  });

  it('shows an error while the device is offline, and loads once it is online again', async () => {
    await enter();
    await goTo('nav-invoices');
    await at('empty').waitFor();
    await goTo('nav-start');
    await at('start').waitFor();
    await context.setOffline(true);
    await goTo('nav-invoices');
    await at('problem').waitFor();
    await context.setOffline(false);
    await at('empty').waitFor();
    expect(await at('problem').count()).toBe(0);
  });

  it('loads a screen that could not be loaded offline once the device is online again', async () => {
    await enter();
    await at('start').waitFor();
    await context.setOffline(true);
    await goTo('nav-invoices');
    await at('not-fetched').waitFor();
    await context.setOffline(false);
    await at('empty').waitFor();
    expect(await at('not-fetched').count()).toBe(0);
  });

  it('shows a new API key until the merchant continues, and never again', async () => {
    await enter();
    await at('key-create').click();
    const key = await at('api-key-token').innerText();
    await at('nav-start').getByText('1/5').waitFor({ state: 'attached' });
    expect(await at('api-key-token').innerText()).toBe(key);
    await at('next-step').click();
    await at('wallet-form').waitFor();
    await at('step-key').click();
    await at('start-key').waitFor();
    expect(await page.content()).not.toContain(key);
  });

  it('shows payments without an invoice on the wallets screen only if there are any', async () => {
    server.state.me.project.wallets = [walletState()];
    await enter();
    await goTo('nav-wallets');
    await at('wallet-BTC').waitFor();
    expect(await at('unassigned-payments').count()).toBe(0);
    server.state.unassigned = [
      {
        currency: 'BTC',
        txid: 'ab'.repeat(32),
        vout: 1,
        address: 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
        address_index: 1,
        amount: '50000',
        status: 'confirmed',
        confirmations: 12,
        block_height: 902104,
        block_hash: 'cd'.repeat(32),
        first_seen_at: '2026-11-20T09:41:02.000Z',
      },
    ];
    await page.reload();
    await at('unassigned-table').waitFor();
    expect(await at('unassigned-table').innerText()).toMatch(/0\.0005/);
  });

  it('replaces a link only after confirmation', async () => {
    server.state.me.project.wallets = [walletState()];
    await enter();
    await goTo('nav-donations');
    const before = await at('donate-url').innerText();
    await at('rotate-donate').click();
    expect(await at('rotate-donate-dialog').innerText()).toMatch(/donation link/i);
    await page.keyboard.press('Escape');
    await at('rotate-donate-dialog').waitFor({ state: 'hidden' });
    expect(await at('donate-url').innerText()).toBe(before);
    await at('rotate-donate').click();
    await at('rotate-donate-confirm').click();
    await at('donate-url').getByText('tok_new').waitFor();
  });

  it('waits for the first address of a new wallet, and shows an error if none is available soon', async () => {
    server.state.me.project.wallets = [
      walletState({ addresses: { free: 0, leased: 0, quarantined: 0, limited: false } }),
    ];
    server.state.busy = [1, 1];
    await enter();
    await goTo('nav-start');
    await at('step-invoice').click();
    await at('expected_amount').fill('0.0015');
    await at('invoice-create').click();
    await at('waiting-for-address').waitFor();
    await at('invoice-created').waitFor();
    expect(server.state.invoices).toHaveLength(1);

    server.state.busy = [90];
    await goTo('nav-wallets');
    await at('gap-BTC').and(page.locator('[data-health=preparing]')).waitFor();
    server.state.me.project.wallets = [walletState()];
    await at('gap-BTC').and(page.locator('[data-health=good]')).waitFor();
    await goTo('nav-invoices');
    await at('new-invoice-link').click();
    await at('expected_amount').fill('0.0015');
    await at('invoice-create').click();
    await at('problem').getByText('Try again in 90 seconds').waitFor();
    expect(server.state.invoices).toHaveLength(1);
  });

  it('shows on every screen that the subscription has ended', async () => {
    const ended = { active: false, active_until: '2026-11-01T00:00:00.000Z' };
    server.state.me.project.subscription = ended;
    await enter();
    await at('subscription-notice').waitFor();
    await goTo('nav-invoices');
    await at('invoices').waitFor();
    expect(await at('subscription-notice').isVisible()).toBe(true);
  });

  it('opens the payment page of a subscription purchase, and shows its state', async () => {
    await enter();
    await goTo('nav-account');
    expect(await at('subscription-offer').innerText()).toContain('30 days');
    await at('buy-BTC').click();
    await at('purchase-table').getByText('Waiting for payment').waitFor();
    expect(server.state.calls.find(({ id }) => id === 'createPurchase')?.body).toEqual({ currency: 'BTC' });
    server.state.purchases = [
      purchaseOf({ status: 'confirmed', extended_at: '2026-11-20T12:30:00.000Z' }),
      purchaseOf({ public_id: 'inv_5', status: 'late_payment' }),
    ];
    await page.reload();
    await at('purchase-table').getByText('Paid, days added').waitFor();
    expect(await at('purchase-table').innerText()).toContain('Late or underpaid');
  });
});

describe('a pasted secret', () => {
  const XPRV =
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
  const WORDS =
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
  const WARNINGS = {
    en: {
      private_key: /private key.*nothing was sent.*move the money/is,
      seed_phrase: /seed phrase.*nothing was sent.*move the money/is,
    },
    de: {
      private_key: /privater Schlüssel.*nichts gesendet.*neue Wallet/is,
      seed_phrase: /Seed-Phrase.*nichts gesendet.*neue Wallet/is,
    },
  };

  it.each([
    ['en', XPRV, 'private_key'],
    ['en', `wpkh([d34db33f/84h/0h/0h]${XPRV}/0/*)`, 'private_key'],
    ['en', 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn', 'private_key'],
    ['en', WORDS, 'seed_phrase'],
    ['de', XPRV, 'private_key'],
    ['de', WORDS, 'seed_phrase'],
  ] as const)('is cleared and never sent, with a warning in %s: %s', async (language, secret, kind) => {
    const sent: string[] = [];
    await page.goto(`${server.url}/account/login?lang=${language}`);
    await at('email').fill('merchant@example.com');
    await at('password').fill('long enough');
    await at('login-submit').click();
    await goTo('nav-wallets');
    await at('wallet-form').waitFor();
    page.on('request', (request) =>
      sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`),
    );
    await at('xpub').fill(secret);
    await at('xpub-error').waitFor();
    expect(await at('xpub-error').innerText()).toMatch(WARNINGS[language][kind]);
    expect(await at('xpub').inputValue()).toBe('');
    await at('wallet-register').click();
    await at('problem').waitFor();
    expect(sent.join('\n')).not.toContain(secret.slice(0, 20));
    expect(await page.content()).not.toContain(secret.slice(0, 20));
  });
});
