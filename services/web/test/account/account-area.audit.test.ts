import { SCOPES_OF } from '@paywatch/domain/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectBrowser, openPage } from '../support/browser.ts';
import { findOverflow, auditPage } from '../support/apis/audit-page.ts';
import { takeScreenshot } from '../support/screenshots.ts';
import {
  apiKeyOf,
  auditLineOf,
  NEW_KEY_DETAILS,
  endpointOf,
  eventOf,
  merchantInvoiceId,
  merchantInvoices,
  purchaseOf,
  walletState,
} from '../support/merchant-data.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';

let browser: Browser;
let server: Awaited<ReturnType<typeof startMerchantServer>>;
beforeAll(async () => {
  [browser, server] = await Promise.all([connectBrowser(), startMerchantServer()]);
});
afterAll(() => Promise.all([browser.close(), server.close()]));

/** An account with data on every screen, including failing states. */
function fill(): void {
  server.reset();
  const { state } = server;
  Object.assign(state, { email: 'merchant@example.com', password: 'long enough', hasStats: true });
  state.invoices = merchantInvoices();
  state.keys = [
    apiKeyOf({ last_used_at: '2026-11-20T11:58:00.000Z', last_used_ip: '2001:db8:1:2:3:4:5:6' }),
    apiKeyOf({
      key_public: 'K3mPqT8w',
      scope: 'invoices',
      scopes: [...SCOPES_OF.invoices],
      revoked_at: '2026-11-03T10:00:00.000Z',
    }),
    apiKeyOf({
      key_public: 'Zt4nHvW2',
      name: 'Shop server in the cellar',
      scope: 'custom',
      scopes: ['invoices:write', 'invoices:read'],
      expires_at: '2099-11-20T00:00:00.000Z',
      allowed_addresses: ['203.0.113.7/32', '2001:db8::/48'],
    }),
    apiKeyOf({ key_public: 'Bq8sJrT6', expires_at: '2026-11-03T10:00:00.000Z' }),
  ];
  state.audit = [
    auditLineOf(),
    auditLineOf({
      id: '1b6d2b0e-3a0e-4c1c-9f57-2d9b8f6f2f12',
      action: 'webhook.set',
      actor: { type: 'api_key', name: '7Hq2VxN9' },
      ip: '2001:db8:1:2:3:4:5:6',
      details: { host: 'shop.example', url_changed: true },
      before: null,
      after: { host: 'shop.example' },
    }),
    auditLineOf({
      id: '2c7e3c1f-4b1f-4d2d-8a68-3eac9a7a3a13',
      action: 'api_key.created',
      details: NEW_KEY_DETAILS,
      before: null,
      after: null,
    }),
    auditLineOf({
      id: '3d8f4d20-5c20-4e3e-9b79-4fbd0b8b4b14',
      action: 'account.registered',
      before: null,
      after: null,
    }),
  ];
  state.events = [
    eventOf({ id: 'evt_one', public_id: merchantInvoiceId('C') }),
    eventOf({
      id: 'evt_two',
      type: 'invoice.expired',
      public_id: merchantInvoiceId('D'),
      delivery: { status: 'failed', attempt_count: 9, next_attempt_at: null, delivered_at: null },
    }),
    eventOf({ id: 'evt_three', test: true }),
  ];
  state.purchases = [
    purchaseOf(),
    purchaseOf({ public_id: 'inv_2', status: 'confirmed', extended_at: '2026-11-20T12:30:00.000Z' }),
    purchaseOf({ public_id: 'inv_3', status: 'late_payment' }),
  ];
  const { project } = state.me;
  project.name = 'Ada plays chess';
  project.wallets = [
    walletState(),
    walletState({
      currency: 'LTC',
      verification_address: 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
      addresses: { free: 2, leased: 15, quarantined: 3, limited: false },
    }),
    walletState({ verified: false, verification_address: 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g' }),
  ];
  project.wallet_changes = [
    {
      currency: 'BTC',
      action: 'registered',
      verification_address: 'bc1q',
      actor: '7Hq2VxN9',
      at: '2026-11-20T10:00:00.000Z',
    },
    {
      currency: 'BTC',
      action: 'verified',
      verification_address: 'bc1q',
      actor: 'session',
      at: '2026-11-02T10:00:00.000Z',
    },
  ];
  project.webhook = {
    url: 'https://shop.example/webhooks/paywatch',
    created_at: '2026-11-02T10:00:00.000Z',
    status: 'failing',
    failing_since: '2026-11-20T08:00:00.000Z',
  };
  state.endpoints = [
    endpointOf({
      id: 'we_2',
      url: 'https://accounting.example/paywatch',
      description: 'Accounting',
      event_types: ['invoice.confirmed', 'invoice.late_payment'],
      status: 'failing',
      failing_since: '2026-11-20T08:00:00.000Z',
      last_error: 'connection refused',
      next_attempt_at: '2026-11-20T09:05:00.000Z',
    }),
    endpointOf({ id: 'we_3', url: 'https://stock.example/paywatch', status: 'disabled' }),
  ];
}

async function login(page: Page): Promise<void> {
  await page.goto(`${server.url}/account/login`);
  await page.locator('[data-testid=email]').fill('merchant@example.com');
  await page.locator('[data-testid=password]').fill('long enough');
  await page.locator('[data-testid=login-submit]').click();
  await page.locator('[data-testid=overview], [data-testid=start]').waitFor();
}

/** Navigates to a screen without a page load, and waits until its content is shown. */
async function moveTo(page: Page, path: string, shown: string): Promise<void> {
  await page.evaluate((target) => {
    if (location.pathname !== target) document.querySelector('.screen')?.setAttribute('data-left', '');
    history.pushState(null, '', target);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/account${path}`);
  const screen = '.screen:not([data-left])';
  await page.locator(`${screen} [data-testid=${shown}], ${screen}[data-testid=${shown}]`).first().waitFor();
}

/** Every screen by name: its path, and the test id that appears once it has loaded. */
const full: Record<string, [path: string, shown: string]> = {
  overview: ['', 'invoice-table'],
  invoices: ['/invoices', 'invoice-table'],
  'new-invoice': ['/invoices/new', 'invoice-form'],
  'invoice-pending': [`/invoices/${merchantInvoiceId('B')}`, 'timeline'],
  'invoice-confirmed': [`/invoices/${merchantInvoiceId('C')}`, 'timeline'],
  'invoice-reversed': [`/invoices/${merchantInvoiceId('F')}`, 'timeline'],
  donations: ['/donations', 'donation-table'],
  wallets: ['/wallets', 'wallet-changes'],
  webhooks: ['/webhooks', 'event-table'],
  event: ['/webhooks/evt_one', 'event-body'],
  keys: ['/keys', 'key-table'],
  settings: ['/settings', 'password-form'],
  audit: ['/audit', 'audit-table'],
  'start-done': ['/start', 'all-done'],
  unknown: ['/nowhere', 'unknown'],
};
const empty: Record<string, [path: string, shown: string]> = {
  'start-key': ['/start/key', 'key-form'],
  'start-wallet': ['/start/wallet', 'wallet-form'],
  'start-verify': ['/start/verify', 'start-verify'],
  'start-webhook': ['/start/webhook', 'webhook-form'],
  'start-invoice': ['/start/invoice', 'invoice-form'],
  'empty-invoices': ['/invoices', 'empty'],
  'empty-donations': ['/donations', 'empty'],
  'empty-wallets': ['/wallets', 'empty'],
  'empty-webhooks': ['/webhooks', 'empty'],
  'empty-keys': ['/keys', 'empty'],
  'empty-audit': ['/audit', 'empty'],
};

const known = { email: 'merchant@example.com', password: 'long enough' };

describe.each([
  { what: 'data', screens: full, prepare: fill },
  {
    what: 'no setup',
    screens: empty,
    prepare: () => {
      server.reset();
      Object.assign(server.state, known);
    },
  },
])('the account area with $what', ({ screens, prepare }) => {
  let seen: Awaited<ReturnType<typeof openPage>>;
  beforeAll(async () => {
    prepare();
    seen = await openPage(browser);
    await login(seen.page);
  });
  afterAll(() => seen.context.close());

  it.each(Object.entries(screens))('passes the audit: %s', async (name, [path, shown]) => {
    await moveTo(seen.page, path, shown);
    expect(await auditPage(seen.page, `account-${name}`)).toEqual({});
    expect(seen.pageErrors).toEqual([]);
  });
});

const LONG = {
  name: 'متجر الأدوات الموسيقية والكتب النادرة في المدينة القديمة 1947',
  orderId: `order-${'1234567890'.repeat(19)}`,
  url: `https://shop.example/${'webhooks/'.repeat(30)}`,
};

/** Fills the account with very long texts, some of them right to left. */
function stretch(): void {
  const { me, invoices } = server.state;
  me.project.name = LONG.name;
  Object.assign(me.project.webhook ?? {}, { url: LONG.url });
  for (const invoice of invoices) {
    if (invoice.type === 'donation')
      Object.assign(invoice, { donor_name: LONG.name.slice(0, 50), donor_message: LONG.name });
    else invoice.order_id = LONG.orderId;
  }
}

/** Elements that must stay left to right in every layout. */
const TURNED = 'code, pre, [data-testid=address], bdi[dir=ltr]';

describe('the statistics before the first payment', () => {
  it('show an empty chart with thirty days in its table', async () => {
    server.reset();
    Object.assign(server.state, known);
    server.state.me.project.wallets = [walletState(), walletState({ currency: 'LTC' })];
    const { page, context } = await openPage(browser);
    await login(page);
    for (const chart of ['chart-BTC', 'chart-LTC', 'chart-invoices']) {
      expect(await page.locator(`[data-testid=${chart}-top]`).innerText()).toBe(
        'Nothing in the last 30 days.',
      );
      expect(await page.locator(`[data-testid=${chart}] tbody tr`).count()).toBe(30);
    }
    await page.locator('[data-testid=chart-LTC-summary]').click();
    await page.locator('[data-testid=chart-LTC]').getByRole('table').waitFor();
    expect(await auditPage(page, 'account-overview-zero')).toEqual({});
    await context.close();
  });
});

describe('the account area with very long texts', () => {
  it('fits a phone on every screen, in German and in right-to-left layout', async () => {
    fill();
    stretch();
    const { page, context } = await openPage(browser, { locale: 'de-DE' });
    await login(page);
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    const wrong: string[] = [];
    for (const [name, [path, shown]] of Object.entries(full)) {
      await moveTo(page, path, shown);
      for (const dir of ['ltr', 'rtl']) {
        await page.evaluate((to) => document.documentElement.setAttribute('dir', to), dir);
        if ((await findOverflow(page)).length > 0) wrong.push(`${name} ${dir} scrolls horizontally`);
        const turned = await page
          .locator(TURNED)
          .evaluateAll((parts) => parts.filter((part) => getComputedStyle(part).direction !== 'ltr').length);
        if (turned > 0) wrong.push(`${name} ${dir} reverses ${turned} elements`);
        await takeScreenshot(page, `account-${name}-german-${dir}`);
      }
    }
    expect(wrong).toEqual([]);
    await context.close();
  });
});

describe('the login page', () => {
  it.each(['login', 'register'])('passes the audit: %s', async (door) => {
    const { page, context } = await openPage(browser);
    await page.goto(`${server.url}/account/${door}`);
    await page.locator(`[data-testid=${door}]`).waitFor();
    expect(await auditPage(page, `account-${door}`)).toEqual({});
    await context.close();
  });
});

describe('the strength of a new password', () => {
  it('is loaded with the first character, grows with it, and passes the audit', async () => {
    const { page, context } = await openPage(browser);
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await page.goto(`${server.url}/account/register`);
    const field = page.locator('[data-testid=password]');
    await field.waitFor();
    expect(scripts.filter((url) => url.includes('strength-meter'))).toEqual([]);
    await field.fill('password1');
    await page.locator('[data-testid=strength][data-score="0"]').waitFor();
    await field.fill('twelve purple giraffes drink espresso');
    await page.locator('[data-testid=strength][data-score="4"]').waitFor();
    expect(await page.locator('[data-testid=strength]').innerText()).toContain('Strong');
    expect(await auditPage(page, 'account-register-strength')).toEqual({});
    await context.close();
  });
});

describe('the pages of links in mails', () => {
  it.each([
    ['forgot-password', 'forgot-submit'],
    ['reset-password', 'reset-submit'],
    ['verify-email', 'verify-submit'],
    ['confirm-email', 'confirm-submit'],
    ['cancel-wallet-changes', 'cancel-submit'],
  ])('pass the audit: %s', async (link, shown) => {
    const { page, context } = await openPage(browser);
    await page.goto(`${server.url}/account/${link}#spent`);
    await page.locator(`[data-testid=${shown}]`).waitFor();
    expect(await auditPage(page, `account-${link}`)).toEqual({});
    await context.close();
  });

  it('say that a link without a token is incomplete', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`${server.url}/account/verify-email`);
    await page.locator('[data-testid=no-token]').waitFor();
    expect(await page.locator('[data-testid=verify-form]').count()).toBe(0);
    await context.close();
  });
});

describe('the notices of the account', () => {
  it('are switched off one by one, stay off, and pass the audit', async () => {
    server.reset();
    Object.assign(server.state, known);
    const { page, context } = await openPage(browser);
    await login(page);
    await moveTo(page, '/settings', 'pool_low');
    await page.locator('[data-testid=pool_low]').uncheck();
    await expect.poll(() => server.state.notices.pool_low).toBe(false);
    expect(server.state.notices.wallet_changed).toBe(true);
    await page.reload();
    await page.locator('[data-testid=pool_low]').waitFor();
    expect(await page.locator('[data-testid=pool_low]').isChecked()).toBe(false);
    expect(await auditPage(page, 'account-notices')).toEqual({});
    await context.close();
  });
});

describe('the email of the account', () => {
  it.each([
    ['unverified', { email_verified: false }, 'email-unverified'],
    ['changing', { new_email: 'new@example.com' }, 'email-pending'],
    ['without mail', { mail_enabled: false }, 'mail-off'],
  ])('passes the audit: %s', async (state, fields, shown) => {
    server.reset();
    Object.assign(server.state, known);
    Object.assign(server.state.me.account, fields);
    const { page, context } = await openPage(browser);
    await login(page);
    await moveTo(page, '/settings', shown);
    expect(await auditPage(page, `account-email-${state}`)).toEqual({});
    await context.close();
  });
});
