import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectBrowser, findAccessibilityViolations, openPage } from '../support/browser.ts';
import { donationLink, proofOfWork, startDonorServer } from '../support/donor-api.ts';
import { allInvoiceStates, invoice } from '../support/invoices.ts';
import { auditPage, findCardOverflow } from '../support/audit-page.ts';
import { takeScreenshot } from '../support/screenshots.ts';

let browser: Browser;
let server: Awaited<ReturnType<typeof startDonorServer>>;
let page: Page;
let context: BrowserContext;
let pageErrors: string[];

beforeAll(async () => {
  [browser, server] = await Promise.all([connectBrowser(), startDonorServer()]);
});
afterAll(() => Promise.all([browser.close(), server.close()]));
beforeEach(async () => {
  server.donor.refusal = null;
  server.donor.started.length = 0;
  server.links.set('tok_ada', donationLink());
  ({ page, context, pageErrors } = await openPage(browser));
});
afterEach(async () => {
  await context.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

const at = (testId: string) => page.locator(`[data-testid="${testId}"]`);
/** Whether the donation page requests the script of the payment view. */
const isPaymentView = (request: Request) =>
  request.url().includes('/pay-app-') && request.frame().url().includes('/donate/');
const open = () => page.goto(`${server.url}/donate/tok_ada`);

describe('the donation form on a phone', () => {
  it.each([320, 390].flatMap((width) => ['en-US', 'de-DE'].map((locale) => ({ width, locale }))))(
    'stays inside its card: $width px, $locale',
    async ({ width, locale }) => {
      const phone = await openPage(browser, { viewport: { width, height: 700 }, isMobile: true, locale });
      await phone.page.goto(`${server.url}/donate/tok_ada`);
      const part = (testId: string) => phone.page.locator(`[data-testid="${testId}"]`);
      expect(await findCardOverflow(phone.page)).toEqual([]);
      await takeScreenshot(phone.page, `donate-${width}-${locale}-empty`);
      await part('amount').fill('20999999.99999999');
      await part('donor-name').fill('W'.repeat(50));
      await part('donor-message').fill('Donaudampfschifffahrt'.repeat(9));
      expect(await findCardOverflow(phone.page)).toEqual([]);
      await takeScreenshot(phone.page, `donate-${width}-${locale}-long`);
      await phone.context.close();
    },
  );
});

describe('the donation page', () => {
  it('replaces the form with the payment, under the URL of its payment page', async () => {
    await open();
    await page.locator('label', { hasText: 'LTC' }).click();
    await at('preset-0.5').click();
    expect(await at('amount-units').innerText()).toBe('50,000,000\u00a0litoshi');
    await at('donor-name').fill('Grace');
    await at('donor-message').fill('Beautiful endgame!');
    expect(await at('preview').innerText()).toContain('Grace');
    await at('donate-submit').click();
    await at('pay').waitFor();
    expect(server.donor.started).toEqual([
      { currency: 'LTC', amount: 50_000_000n, donor_name: 'Grace', donor_message: 'Beautiful endgame!' },
    ]);
    expect(await at('amount-due').innerText()).toContain('0.50000000');
    expect(page.url()).toMatch(/\/pay\/inv_B$/);
    server.put({ ...(allInvoiceStates(Date.now())['confirmed-donation'] ?? invoice()), public_id: 'inv_B' });
    await page.getByText('Thank you!').waitFor();
    await at('donate-again').click();
    await at('donate-form').waitFor();
    expect(await at('amount').inputValue()).toBe('');
  });

  it('shows the payment again after a reload, and the form after going back', async () => {
    await open();
    await at('donate-submit').click();
    await at('pay').waitFor();
    await page.reload();
    await at('pay').waitFor();
    await page.goBack();
    await at('donate-form').waitFor();
    expect(server.donor.started).toHaveLength(1);
  });

  it('shows an error at the invalid field and focuses it', async () => {
    await open();
    await at('amount').fill('0.00000001');
    await at('donate-submit').click();
    expect(await at('amount-error').innerText()).toContain('at least 0.00000546');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('amount');
    expect(await auditPage(page, 'donate-error')).toEqual({});
    expect(server.donor.started).toEqual([]);
  });

  it('accepts a comma as the decimal sign, and removes an error once it is corrected', async () => {
    await open();
    await at('amount').fill('0,00000001');
    await at('donate-submit').click();
    await at('amount-error').waitFor();
    await at('amount').fill('0,001');
    await at('amount-error').waitFor({ state: 'detached' });
    expect(await at('amount-units').innerText()).toBe('100,000\u00a0sat');
    await at('donate-submit').click();
    await at('pay').waitFor();
    expect(server.donor.started).toMatchObject([{ amount: 100_000n }]);
  });

  it('loads the payment view while the donor fills in the form, and opens the payment page without it', async () => {
    await page.route('**/assets/*.js', (route) =>
      isPaymentView(route.request()) ? route.abort() : route.continue(),
    );
    const refused = page.waitForEvent('requestfailed', isPaymentView);
    await open();
    await refused;
    await at('donate-submit').click();
    await at('pay').waitFor();
    expect(page.url()).toMatch(/\/pay\/inv_B$/);
    expect(server.donor.started).toHaveLength(1);
  });

  it.each([
    ['rate_limited', 'Try again in 10 minutes'],
    ['address_pool_busy', 'Try again in 10 minutes'],
    ['subscription_inactive', 'not accepted here'],
    ['wallet_not_verified', 'not accepted here'],
  ] as const)('keeps the input and explains the error when the API answers %s', async (code, words) => {
    server.donor.refusal = { code, retryAfter: 600 };
    await open();
    await at('donor-name').fill('Grace');
    await at('donate-submit').click();
    await page.getByText(words).waitFor();
    expect(await at('donor-name').inputValue()).toBe('Grace');
    expect(await findAccessibilityViolations(page)).toEqual([]);
  });

  it('never renders donor text as markup in the preview', async () => {
    await open();
    await at('donor-name').fill('<img src=x onerror=alert(1)>');
    expect(await at('preview').locator('img').count()).toBe(0);
    expect(await at('preview').innerText()).toContain('<img src=x');
  });

  it('shows no form while the link accepts no donations', async () => {
    server.links.set('tok_ada', donationLink({ accepting: false }));
    await open();
    await at('donate-closed').waitFor();
    expect(await at('donate-form').count()).toBe(0);
    expect(await auditPage(page, 'donate-closed')).toEqual({});
  });

  it('can be used with the keyboard only', async () => {
    await open();
    await at('currency-BTC').focus();
    await page.keyboard.press('ArrowRight');
    expect(await at('donate-form').getAttribute('data-currency')).toBe('LTC');
    await at('amount').focus();
    await page.keyboard.type('0.25');
    await page.keyboard.press('Enter');
    await at('pay').waitFor();
    expect(server.donor.started).toMatchObject([{ currency: 'LTC', amount: 25_000_000n }]);
  });
});

describe('while few addresses are free', () => {
  it('the page announces the proof of work, and continues to the payment', async () => {
    server.links.set('tok_ada', donationLink({ proof_of_work: proofOfWork({ difficulty: 18 }) }));
    await open();
    expect(await at('proof-note').innerText()).toContain('short calculation');
    expect(await at('proof-needs-script').isVisible()).toBe(false);
    expect(await auditPage(page, 'donate-proof')).toEqual({});
    await at('donate-submit').click();
    await at('pay').waitFor();
    expect(server.donor.started[0]?.proof_of_work).toMatch(/^[\w-]{38}\.\d+$/);
  });

  it('the page shows the progress of the proof of work, and passes the audit meanwhile', async () => {
    // A difficulty that cannot be solved meanwhile.
    server.links.set('tok_ada', donationLink({ proof_of_work: proofOfWork({ difficulty: 32 }) }));
    await page.goto(`${server.url}/donate/tok_ada?lang=de`);
    await at('donate-submit').click();
    await at('proof-progress').locator('progress').waitFor();
    expect(await auditPage(page, 'donate-solving')).toEqual({});
  });

  it('a currency with enough addresses needs no proof of work', async () => {
    server.links.set('tok_ada', donationLink({ proof_of_work: proofOfWork({ currencies: ['LTC'] }) }));
    await open();
    expect(await at('proof-note').count()).toBe(0);
    await at('donate-submit').click();
    await at('pay').waitFor();
    expect(server.donor.started[0]?.proof_of_work).toBeUndefined();
  });

  it('a donation refused for a missing or expired proof is repeated with a new one', async () => {
    await open();
    server.links.set('tok_ada', donationLink({ proof_of_work: proofOfWork() }));
    await at('donor-name').fill('Grace');
    await at('donate-submit').click();
    await at('pay').waitFor();
    expect(server.donor.started).toMatchObject([{ donor_name: 'Grace' }]);
  });

  it('the page handles input while it solves the proof of work', async () => {
    server.links.set('tok_ada', donationLink({ proof_of_work: proofOfWork({ difficulty: 32 }) }));
    await open();
    await at('donate-submit').click();
    await at('proof-progress').waitFor();
    await at('donor-name').fill('Grace');
    await page.getByText('5 of 50 characters').waitFor();
    expect(await at('proof-progress').isVisible()).toBe(true);
  });

  it('the page explains what to do without JavaScript, before and after submitting', async () => {
    server.links.set('tok_ada', donationLink({ proof_of_work: proofOfWork() }));
    const plain = await openPage(browser, { javaScriptEnabled: false });
    const here = (testId: string) => plain.page.locator(`[data-testid="${testId}"]`);
    await plain.page.goto(`${server.url}/donate/tok_ada`);
    expect(await here('proof-needs-script').innerText()).toContain('Turn on JavaScript');
    expect(await here('proof-note').isVisible()).toBe(false);
    await here('donor-name').fill('Grace');
    await here('donate-submit').click();
    expect(await here('donate-failure').innerText()).toContain('Turn on JavaScript');
    expect(await here('donor-name').inputValue()).toBe('Grace');
    expect(server.donor.started).toEqual([]);
    await plain.context.close();
  });
});

describe('while no address is free', () => {
  it('the page says so and offers to try again', async () => {
    server.links.set('tok_ada', donationLink({ accepting: false, busy_currencies: ['BTC', 'LTC'] }));
    await open();
    expect(await at('donate-closed').innerText()).toContain('All addresses are in use');
    expect(await auditPage(page, 'donate-busy')).toEqual({});
    server.links.set('tok_ada', donationLink());
    await at('try-again').click();
    await at('donate-form').waitFor();
  });

  it('the page selects the currency that has a free address', async () => {
    server.links.set('tok_ada', donationLink({ busy_currencies: ['BTC'] }));
    await open();
    expect(await at('currency-BTC').isDisabled()).toBe(true);
    expect(await at('currency-LTC').isChecked()).toBe(true);
    expect(await at('busy-currencies').innerText()).toContain('No BTC address');
    expect(await auditPage(page, 'donate-one-busy')).toEqual({});
    await at('donate-submit').click();
    await at('pay').waitFor();
    expect(server.donor.started).toMatchObject([{ currency: 'LTC' }]);
  });
});

describe('without JavaScript the donation page', () => {
  it('creates a donation, and renders a rejected form again with its input and errors', async () => {
    const plain = await openPage(browser, { javaScriptEnabled: false });
    const here = (testId: string) => plain.page.locator(`[data-testid="${testId}"]`);
    await plain.page.goto(`${server.url}/donate/tok_ada`);
    await here('amount').fill('lots');
    await here('donor-name').fill('Grace');
    await here('donate-submit').click();
    expect(await here('amount-error').innerText()).toContain('at most eight decimals');
    expect(await here('donor-name').inputValue()).toBe('Grace');
    await here('amount').fill('0,001');
    await here('donate-submit').click();
    expect(await here('amount-due').innerText()).toContain('0.00100000');
    expect(server.donor.started).toMatchObject([{ amount: 100_000n, donor_name: 'Grace' }]);
    await plain.context.close();
  });
});

describe('the donation form', () => {
  it('passes the audit', async () => {
    await open();
    await at('preset-0.0005').click();
    await at('donor-name').fill('Grace');
    await at('donor-message').fill('Beautiful endgame! I learned a lot from it.');
    expect(await auditPage(page, 'donate')).toEqual({});
  });

  it('passes the audit in right-to-left layout with a long name', async () => {
    server.links.set(
      'tok_ada',
      donationLink({ project_name: 'متجر الأدوات الموسيقية والكتب النادرة في المدينة القديمة' }),
    );
    await open();
    await at('amount').fill('0.0005');
    await at('donor-name').fill('عبد الرحمن بن محمد الأندلسي القرطبي الكبير');
    await at('donor-message').fill('شكراً جزيلاً على هذا البث الرائع! 100% — Grace');
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
    expect(await auditPage(page, 'donate-rtl')).toEqual({});
    const amounts = page.locator(
      '[data-testid=amount], [data-testid=amount-units] bdi, .preset, .alert__amount',
    );
    const turned = await amounts.evaluateAll(
      (parts) => parts.filter((part) => getComputedStyle(part).direction !== 'ltr').length,
    );
    expect(turned).toBe(0);
  });
});
