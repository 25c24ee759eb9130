import type { DonationLinkInfo } from '@paywatch/domain/contract';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectBrowser, findAccessibilityViolations, openPage, TIGHT_SIZES } from '../support/browser.ts';
import { donationLink, proofOfWork, startDonorServer } from '../support/apis/donor-api.ts';
import { allInvoiceStates, invoice } from '../support/invoices.ts';
import { auditPage, findCardOverflow } from '../support/apis/audit-page.ts';
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
/** A part of the alert in the preview, once it has this text. */
const preview = (selector: string, hasText?: string) =>
  page
    .frameLocator('[data-testid=preview-frame]')
    .locator(selector, hasText === undefined ? {} : { hasText });
const open = () => page.goto(`${server.url}/donate/tok_ada`);

describe('the donation form on a small screen', () => {
  it.each(TIGHT_SIZES.flatMap((size) => ['en-US', 'de-DE'].map((locale) => ({ ...size, locale }))))(
    'stays inside its card: $width × $height, $locale',
    async ({ width, height, locale }) => {
      const phone = await openPage(browser, { viewport: { width, height }, isMobile: true, locale });
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

describe('an amount in the currency of the owner', () => {
  const prices = { currency: 'EUR', rates: { BTC: '50000', LTC: null } };

  it('is shown in coins while it is typed, and locked with the payment', async () => {
    server.links.set('tok_ada', donationLink({ prices }));
    await open();
    await at('unit').selectOption('EUR');
    await at('amount').fill('4,99');
    expect(await at('amount-units').innerText()).toBe('≈ 0.0000998\u00a0BTC');
    await preview('.alert__amount', '0.0000998').waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await takeScreenshot(page, 'donate-in-eur');
    await at('donate-submit').click();
    await at('pay').waitFor();
    expect(server.donor.started).toMatchObject([
      { currency: 'BTC', amount: null, price: { amount: '4.99', currency: 'EUR' } },
    ]);
    expect(await at('price').innerText()).toBe('4.99\u00a0EUR');
  });

  it('is marked where it is none, and can be corrected', async () => {
    server.links.set('tok_ada', donationLink({ prices }));
    await open();
    await at('unit').selectOption('EUR');
    await at('amount').fill('0.001');
    await at('donate-submit').click();
    expect(await at('amount-error').innerText()).toBe('Enter an amount such as 5 or 4.99.');
    await at('amount').fill('1');
    await at('amount-error').waitFor({ state: 'detached' });
    expect(server.donor.started).toEqual([]);
  });

  it('is what suggestions in that currency fill in', async () => {
    const suggestions = {
      BTC: [{ amount: '10000', price: { amount: '5.00', currency: 'EUR' } }],
      LTC: [],
    };
    server.links.set('tok_ada', donationLink({ prices, suggestions }));
    await open();
    await at('preset-5').click();
    expect(await at('amount').inputValue()).toBe('5');
    expect(await at('unit').inputValue()).toBe('EUR');
    expect(await at('preset-5').getAttribute('aria-pressed')).toBe('true');
  });

  it('needs no script', async () => {
    server.links.set('tok_ada', donationLink({ prices }));
    const bare = await openPage(browser, { javaScriptEnabled: false });
    await bare.page.goto(`${server.url}/donate/tok_ada`);
    await bare.page.locator('[data-testid=unit]').selectOption('EUR');
    await bare.page.locator('[data-testid=amount]').fill('5');
    await bare.page.locator('[data-testid=donate-submit]').click();
    await bare.page.locator('[data-testid=pay]').waitFor();
    expect(server.donor.started).toMatchObject([{ price: { amount: '5', currency: 'EUR' } }]);
    await bare.context.close();
  });

  it('is removed with the choice of a coin without a rate', async () => {
    server.links.set('tok_ada', donationLink({ prices }));
    await open();
    await at('unit').selectOption('EUR');
    await at('amount').fill('20');
    await page.locator('label', { hasText: 'LTC' }).click();
    await at('unit').waitFor({ state: 'detached' });
    expect(await at('amount').inputValue()).toBe('');
    await at('amount').fill('0.1');
    await at('donate-submit').click();
    await at('pay').waitFor();
    expect(server.donor.started).toMatchObject([{ currency: 'LTC', amount: 10_000_000n, price: null }]);
  });

  it('is removed from a form that is shown again without its rate', async () => {
    server.links.set('tok_ada', donationLink({ prices }));
    const bare = await openPage(browser, { javaScriptEnabled: false });
    const here = (testId: string) => bare.page.locator(`[data-testid="${testId}"]`);
    await bare.page.goto(`${server.url}/donate/tok_ada`);
    await here('unit').selectOption('EUR');
    await here('amount').fill('20');
    const withoutRates = { currency: 'EUR', rates: { BTC: null, LTC: null } };
    server.links.set('tok_ada', donationLink({ prices: withoutRates, proof_of_work: proofOfWork() }));
    await here('donate-submit').click();
    await here('donate-failure').waitFor();
    expect(await here('unit').count()).toBe(0);
    expect(await here('amount').inputValue()).toBe('');
    await bare.context.close();
  });

  it('is not offered in a coin without a rate', async () => {
    server.links.set('tok_ada', donationLink({ prices }));
    await open();
    await page.locator('label', { hasText: 'LTC' }).click();
    await at('unit').waitFor({ state: 'detached' });
    await at('amount').fill('1');
    await at('donate-submit').click();
    await at('pay').waitFor();
    expect(server.donor.started).toMatchObject([{ currency: 'LTC', amount: 100_000_000n }]);
  });
});

describe('the donation page', () => {
  it('replaces the form with the payment, under the URL of its payment page', async () => {
    await open();
    await page.locator('label', { hasText: 'LTC' }).click();
    await at('preset-0.5').click();
    expect(await at('amount-units').innerText()).toBe('50,000,000\u00a0litoshi');
    await at('donor-name').fill('Grace');
    await at('donor-message').fill('Beautiful endgame!');
    await preview('.alert__name', 'Grace').waitFor();
    await at('donate-submit').click();
    await at('pay').waitFor();
    expect(server.donor.started).toEqual([
      {
        currency: 'LTC',
        amount: 50_000_000n,
        price: null,
        donor_name: 'Grace',
        donor_message: 'Beautiful endgame!',
      },
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

  it('loads no payment view for a visitor who only reads', async () => {
    const asked: string[] = [];
    page.on('request', (request) => void (isPaymentView(request) && asked.push(request.url())));
    await open();
    await preview('.alert__name', 'Anonymous').waitFor();
    expect(asked).toEqual([]);
    const loaded = page.waitForRequest(isPaymentView);
    await at('amount').focus();
    await loaded;
  });

  it('loads the payment view while the donor fills in the form, and opens the payment page without it', async () => {
    await page.route('**/assets/*.js', (route) =>
      isPaymentView(route.request()) ? route.abort() : route.continue(),
    );
    const refused = page.waitForEvent('requestfailed', isPaymentView);
    await open();
    await at('donor-name').fill('Grace');
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
    await preview('.alert__name', '<img src=x').waitFor();
    expect(await preview('.alert__name *').count()).toBe(0);
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

/** What an owner may set, with texts that try to break the page. */
const settings: Partial<DonationLinkInfo> = {
  accent_color: '#ffee00',
  picture_url: '/v1/public/uploads/upl_A',
  text: '<img src=x onerror=alert(1)> Thank you for watching! Each donation pays for microphones and lights.',
  links: [
    { title: 'My channel', url: 'https://stream.example/ada' },
    { title: 'paypal.com', url: 'https://xn--pypal-4ve.com/login?and=a-path-that-is-long' },
    { title: 'W'.repeat(50), url: 'https://a.example' },
  ],
  suggestions: {
    BTC: [
      { amount: '10000', price: { amount: '5.00', currency: 'EUR' } },
      { amount: '123456789', price: { amount: '61728.40', currency: 'EUR' } },
    ],
    LTC: [{ amount: '5000000' }],
  },
  message_minimum: { BTC: '20000', LTC: '0' },
  speech_minimum: { BTC: '50000', LTC: '0' },
  alert: { template: 'neon', sentence: '{name} sent {amount}' },
  goal: {
    title: '<b>Microphone</b> '.repeat(4).slice(0, 60),
    unit: 'EUR',
    target: '1000.00',
    reached: '681.50',
  },
  latest_donations: [
    { donor_name: '<img src=x onerror=alert(2)>', amount: '50000', currency: 'BTC' },
    { donor_name: null, amount: '250000000', currency: 'LTC' },
    { donor_name: 'W'.repeat(50), amount: '2099999999999999', currency: 'BTC' },
  ],
};

describe('the settings of the owner', () => {
  beforeEach(() => server.links.set('tok_ada', donationLink(settings)));

  it.each([
    { width: 320, height: 700, locale: 'de-DE' },
    { width: 390, height: 700, locale: 'en-US' },
    { width: 800, height: 300, locale: 'de-DE' },
    { width: 1280, height: 900, locale: 'en-US' },
  ])('fit a screen of $width × $height', async ({ width, height, locale }) => {
    const screen = await openPage(browser, { viewport: { width, height }, locale });
    await screen.page.goto(`${server.url}/donate/tok_ada`);
    await screen.page.frameLocator('[data-testid=preview-frame]').locator('.alert__name').waitFor();
    await screen.page.locator('[data-testid=donor-message]').fill('Hello');
    expect(await findCardOverflow(screen.page)).toEqual([]);
    const overflow = await screen.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await findAccessibilityViolations(screen.page)).toEqual([]);
    await takeScreenshot(screen.page, `donate-settings-${width}`);
    await screen.context.close();
  });

  it('are shown as plain text; links name their host and give away nothing', async () => {
    await open();
    expect(await at('profile').locator('img[src=x]').count()).toBe(0);
    const links = at('profile').locator('a');
    expect(await links.nth(1).innerText()).toContain('xn--pypal-4ve.com');
    for (const link of await links.all())
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    const button = await at('donate-submit').evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(button).not.toBe('rgb(255, 238, 0)');
  });

  it('suggest amounts, and say before the payment whether the message is shown and read', async () => {
    await open();
    expect(await page.locator('.preset').allInnerTexts()).toEqual(['5\u00a0EUR', '61,728.40\u00a0EUR']);
    await at('donor-message').fill('Hello');
    await at('preset-0.0001').click();
    expect(await at('message-note').allInnerTexts()).toEqual([
      expect.stringContaining('only the recipient sees yours'),
      expect.stringContaining('read aloud for donations of 0.0005'),
    ]);
    await preview('.alert__amount', '0.0001').waitFor();
    await preview('.alert__message[hidden]').waitFor({ state: 'attached' });
    await at('amount').fill('0,0002');
    await preview('.alert__message', 'Hello').waitFor();
    await at('donate-submit').click();
    await at('pay').waitFor();
    expect(server.donor.started).toMatchObject([{ amount: 20_000n, donor_message: 'Hello' }]);
    expect(await at('profile').isVisible()).toBe(false);
    expect(await at('latest-donations').isVisible()).toBe(false);
  });

  it('show the goal and the latest donations without a script, as plain text', async () => {
    const scriptless = await openPage(browser, { javaScriptEnabled: false });
    await scriptless.page.goto(`${server.url}/donate/tok_ada`);
    const part = (testId: string) => scriptless.page.locator(`[data-testid="${testId}"]`);
    expect(await part('goal').innerText()).toContain('681.50\u00a0EUR of 1,000\u00a0EUR');
    expect(await part('goal').locator('progress').getAttribute('value')).toBe('681.5');
    const lines = part('latest-donations').locator('li');
    expect(await lines.nth(0).innerText()).toMatch(/^<img src=x onerror=alert\(2\)>\s+0\.0005\u00a0BTC$/);
    expect(await lines.nth(1).innerText()).toMatch(/^Anonymous\s+2\.5\u00a0LTC$/);
    expect(await part('latest-donations').locator('img').count()).toBe(0);
    await scriptless.context.close();
  });

  it('come with the link where a static host serves the page', async () => {
    await page.route(`${server.url}/donate/tok_ada`, async (route) => {
      const html = (await (await route.fetch()).text()).replace(
        /<body>.*<\/body>/s,
        '<body><div id="page"></div></body>',
      );
      await route.fulfill({ body: html, contentType: 'text/html' });
    });
    await open();
    await at('donate-form').waitFor();
    expect(await at('goal').innerText()).toContain('681.50');
    const order = await page.evaluate(() =>
      [...document.body.children].map(({ id, className }) => id || className),
    );
    expect(order).toEqual(['profile', 'page', 'latest']);
  });

  it('dress the preview as the overlay does', async () => {
    await open();
    await at('donor-name').fill('Grace');
    await preview('#page[data-template=neon] .alert__head', 'Grace sent').waitFor();
    expect(await preview('.alert').getAttribute('data-currency')).toBe('BTC');
  });

  it('describe the page to others, with the picture of the owner', async () => {
    const html = await (await fetch(`${server.url}/donate/tok_ada`)).text();
    expect(html).toContain('<meta property="og:title"');
    expect(html).toContain('content="&lt;img src=x');
    expect(html).toContain('content="https://pay.example/v1/public/uploads/upl_A"');
    expect(html).toContain('<meta property="og:url" content="https://pay.example/donate/tok_ada"');
    expect(html).toContain('content="summary"');
  });

  it('leave the picture of links to the page to the build where the owner has none', async () => {
    server.links.set('tok_ada', donationLink());
    const html = await (await fetch(`${server.url}/donate/tok_ada`)).text();
    const [, path = ''] =
      /property="og:image" content="https:\/\/pay\.example(\/assets\/link-image-[\w-]+\.png)"/.exec(html) ??
      [];
    expect(html).toContain('content="summary_large_image"');
    const image = Buffer.from(await (await fetch(`${server.url}${path}`)).arrayBuffer());
    // Width and height of a PNG: what Open Graph recommends.
    expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([1200, 630]);
  });
});

it('a donation that was seen is thanked for at once, with what happens next', async () => {
  await open();
  await at('donate-submit').click();
  await at('pay').waitFor();
  const seen = { ...invoice(), ...allInvoiceStates(Date.now())['pending'], type: 'donation' as const };
  server.put({ ...seen, public_id: 'inv_B' });
  await page.getByText('Thank you!').waitFor();
  await page.getByText('The network confirms it next').waitFor();
  expect(await auditPage(page, 'donate-seen')).toEqual({});
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
    const amounts = page.locator('[data-testid=amount], [data-testid=amount-units] bdi, .preset');
    const turned = await amounts.evaluateAll(
      (parts) => parts.filter((part) => getComputedStyle(part).direction !== 'ltr').length,
    );
    expect(turned).toBe(0);
  });
});
