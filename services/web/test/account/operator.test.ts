import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditPage, findCardOverflow } from '../support/apis/audit-page.ts';
import { connectBrowser, openPage, SIZES } from '../support/browser.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';
import { accountOf, OPERATED_ACCOUNT, parkedOf, troubledOverview } from '../support/apis/operator-api.ts';
import { RIGHT_CODE } from '../support/apis/second-factor-api.ts';

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
  server.state.me.account.is_operator = true;
  ({ page, context, pageErrors } = await openPage(browser));
});
afterEach(async () => {
  await context.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

const at = (testId: string) => page.locator(`[data-testid="${testId}"]`);
const ACCOUNT = `/account/operator/accounts/${OPERATED_ACCOUNT}`;

async function open(path: string, language = 'en'): Promise<void> {
  await page.goto(`${server.url}/account/login?lang=${language}`);
  await at('email').fill('merchant@example.com');
  await at('password').fill('long enough');
  await at('login-submit').click();
  await page.locator('.shell').waitFor();
  await page.goto(`${server.url}${path}`);
  await page.locator('.shell .screen').waitFor();
}

/** The audit of a page, at the width of a phone and of a desktop. */
async function expectSound(name: string): Promise<void> {
  expect(await auditPage(page, name)).toEqual({});
  for (const size of ['phone', 'desktop'] as const) {
    await page.setViewportSize(SIZES[size]);
    expect(await findCardOverflow(page)).toEqual([]);
  }
}

describe.each(['en', 'de'])('in %s', (language) => {
  it('the overview passes the audit, healthy and with every problem', async () => {
    await open('/account/operator', language);
    await at('healthy').waitFor();
    await expectSound(`operator-healthy-${language}`);
    server.state.operated.overview = troubledOverview();
    await page.reload();
    await at('action-table').waitFor();
    await at('passed-checks').click();
    expect(await at('problems').locator('li').count()).toBe(9);
    await expectSound(`operator-problems-${language}`);
  });

  it('accounts, an account and parked invoices pass the audit', async () => {
    server.state.operated.accounts.push(
      accountOf({ account_id: `acc_${'0'.repeat(32)}`, is_operator: true }),
    );
    server.state.operated.parked.push(parkedOf({}));
    await open('/account/operator/accounts', language);
    await at('account-table').waitFor();
    await expectSound(`operator-accounts-${language}`);
    await at('account-link').first().click();
    await at('account-changes').waitFor();
    await expectSound(`operator-account-${language}`);
    await at('operator-parked').click();
    await at('parked-table').waitFor();
    await expectSound(`operator-parked-${language}`);
  });

  it('the field of the operator code passes the audit', async () => {
    await page.goto(`${server.url}/account/register?lang=${language}#operator`);
    await at('operator_code').waitFor();
    expect(await auditPage(page, `operator-code-${language}`)).toEqual({});
  });
});

describe('the operator’s area', () => {
  it('is in the navigation of operators, and every screen of it', async () => {
    await open('/account');
    await at('menu').click();
    await at('nav-operator').click();
    await at('operator').waitFor();
    expect(await at('nav-operator').getAttribute('aria-current')).toBe('page');
    await at('operator-accounts').click();
    await at('operator-accounts-screen').waitFor();
    await at('operator-parked').click();
    await at('parked-invoices').getByText('No invoices are parked.').waitFor();
    await at('operator-overview').click();
    await at('healthy').waitFor();
    expect(await at('operator-overview').getAttribute('aria-current')).toBe('page');
  });

  it.each(['', '/accounts', '/parked-invoices', `/accounts/${OPERATED_ACCOUNT}`])(
    'is not found by others, who get no script of it: %s',
    async (path) => {
      server.state.me.account.is_operator = false;
      const scripts: string[] = [];
      page.on('request', (request) => scripts.push(request.url()));
      await open(`/account/operator${path}`);
      await at('unknown').waitFor();
      expect(await at('nav-operator').count()).toBe(0);
      expect(scripts.filter((url) => url.includes('operator-area'))).toEqual([]);
      expect(server.state.calls.filter(({ id }) => /Operator|Parked/.test(id))).toEqual([]);
    },
  );

  it.each(['/nothing', '/accounts/x/y', '/parked-invoices/x', `/accounts/acc_${'0'.repeat(32)}`])(
    'answers an unknown path as the other screens do: %s',
    async (path) => {
      await open(`/account/operator${path}`);
      await at('unknown').waitFor();
      expect(await page.locator('.screen h1').innerText()).toBe('Page not found');
    },
  );

  it('finds accounts by a part of the email by keyboard alone, and shows all again', async () => {
    server.state.operated.accounts.push(
      accountOf({ account_id: `acc_${'0'.repeat(32)}`, email: 'other@example.com' }),
    );
    await open('/account/operator/accounts');
    await at('account-link').nth(1).waitFor();
    await at('q').focus();
    await page.keyboard.type('other');
    await page.keyboard.press('Enter');
    await at('account-link').nth(1).waitFor({ state: 'detached' });
    expect(await at('account-link').innerText()).toBe('other@example.com');
    await at('q').fill('nobody');
    await page.keyboard.press('Enter');
    await at('empty').getByText('No account matches.').waitFor();
    await at('account-all').click();
    await at('account-link').nth(1).waitFor();
  });

  it('sets the end of a subscription to the end of the day, and says what is wrong with a past one', async () => {
    await open(ACCOUNT);
    const until = page.locator('input[data-testid^="until-"]');
    await until.fill('2020-01-01');
    await at('subscription-submit').click();
    await page.getByText('Choose a day in the future.').waitFor();
    await until.fill('2100-01-31');
    await at('subscription-submit').click();
    await at('subscription-set').waitFor();
    expect(await at('subscription').innerText()).toContain('2100');
    expect(server.state.operated.accounts[0]?.projects[0]?.subscription.active_until).toBe(
      '2100-01-31T23:59:59.999Z',
    );
  });

  it('sets the address limit and takes it back, and says which numbers there are', async () => {
    await open(ACCOUNT);
    await at('addresses').fill('3');
    await at('limit-submit').click();
    await at('addresses-error').waitFor();
    await at('addresses').fill('50000');
    await at('limit-submit').click();
    await at('limit-set').waitFor();
    expect(await at('address-use').innerText()).toContain('50000');
    await at('addresses').fill('');
    await at('limit-submit').click();
    await at('limit-set').waitFor();
    expect(server.state.operated.accounts[0]?.addresses.own_limit).toBeNull();
  });

  it('unlocks an account with a reason, which is then the latest change', async () => {
    await open(ACCOUNT);
    await at('unlock-submit').click();
    await at('reason-error').waitFor();
    await at('reason').fill('Called back');
    await at('unlock-submit').click();
    await at('unlocked').waitFor();
    expect(await at('account-changes').locator('tbody tr').first().innerText()).toContain('Called back');
  });

  it('asks for the second factor before a change, and makes it then', async () => {
    server.state.second.isProofNeeded = true;
    await open(ACCOUNT);
    await at('reason').fill('Called back');
    await at('unlock-submit').click();
    await page.locator('dialog[open]').waitFor();
    await page.locator('dialog[open] input').fill(RIGHT_CODE);
    await page.keyboard.press('Enter');
    await at('unlocked').waitFor();
    const reasons = server.state.operated.accounts[0]?.changes.map(({ details }) => details['reason']);
    expect(reasons).toContain('Called back');
  });

  it('retries a parked invoice, and says so if it was decided meanwhile', async () => {
    const second = 'inv_9yXq3mJ2NdPz5KcVh7RtWb';
    server.state.operated.parked.push(parkedOf({}), parkedOf({ public_id: second }));
    await open('/account/operator/parked-invoices');
    await at('retry-parked').first().press('Enter');
    await at('retried').getByText('inv_8yXq3mJ2NdPz5KcVh7RtWb').waitFor();
    await at('retry-parked').nth(1).waitFor({ state: 'detached' });
    server.state.operated.parked = [];
    await at('retry-parked').click();
    await page.getByText('This invoice has been decided meanwhile.').waitFor();
    await at('empty').waitFor();
    const retried = server.state.calls.filter(({ id }) => id === 'retryParkedInvoice');
    expect(retried).toHaveLength(2);
  });
});

async function register(code: string): Promise<void> {
  await at('email').fill('merchant@example.com');
  await at('password').fill('correct horse battery');
  await at('operator_code').fill(code);
  await at('login-submit').click();
}

describe('the registration', () => {
  beforeEach(() => Object.assign(server.state, { email: '', password: '' }));

  it('opens the field of the operator code by a button, and says at the field if the code is wrong', async () => {
    await page.goto(`${server.url}/account/register`);
    await at('operator-code-open').press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('operator_code');
    await register('a wrong code');
    await at('operator_code-error').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('operator_code');
    await register('the right operator code');
    await at('nav-operator').waitFor({ state: 'attached' });
    expect(server.state.me.account.is_operator).toBe(true);
  });

  it('shows the field at once by the link of the installer, and needs no code', async () => {
    await page.goto(`${server.url}/account/register#operator`);
    await at('operator_code').waitFor();
    await register('');
    await page.locator('.shell').waitFor();
    expect(server.state.calls.find(({ id }) => id === 'register')?.body).not.toHaveProperty('operator_code');
    expect(await at('nav-operator').count()).toBe(0);
  });
});
