import { sampleGif, samplePicture, sampleWav } from '@paywatch/dev/testing';
import type { OverlaySettings } from '@paywatch/domain/contract';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  connectBrowser,
  findAccessibilityViolations,
  openPage,
  SIZES,
  TIGHT_SIZES,
} from '../support/browser.ts';
import { auditPage, findCardOverflow } from '../support/apis/audit-page.ts';
import { takeScreenshot } from '../support/screenshots.ts';
import { payment } from '../support/invoices.ts';
import {
  apiKeyOf,
  auditLineOf,
  endpointOf,
  merchantInvoice,
  merchantInvoiceId,
  walletState,
} from '../support/merchant-data.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';

// What single screens show and do, beside the flows of account-area.test.ts.
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

/** The texts of a column of a table. */
const cells = (table: string, head: string) =>
  page.locator(`[data-testid="${table}"] td[data-head="${head}"]`).allInnerTexts();

/** Logs in and opens a screen. */
async function open(path: string, shown: string): Promise<void> {
  await page.goto(`${server.url}/account/login`);
  await at('email').fill('merchant@example.com');
  await at('password').fill('long enough');
  await at('login-submit').click();
  await page.locator('.shell').waitFor();
  await page.evaluate((target) => {
    history.pushState(null, '', target);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/account${path}`);
  await at(shown).waitFor();
}

describe('the overview', () => {
  it('shows the money of a currency only with a wallet or with payments in it', async () => {
    await open('', 'accepted-BTC');
    expect(await at('accepted-LTC').count()).toBe(0);
    server.state.hasStats = true;
    await page.reload();
    await at('accepted-LTC').waitFor();
  });
});

describe('a chart', () => {
  it('has an axis, names days, and shows the value of the day that is pointed at', async () => {
    server.state.hasStats = true;
    await open('', 'chart-BTC');
    const chart = at('chart-BTC');
    expect(await chart.locator('.chart__scale').innerText()).toMatch(/^0\.01277\d*\sBTC$/);
    expect(await chart.locator('.chart__days span').count()).toBe(5);
    const before = await at('chart-BTC-top').innerText();
    await chart.locator('svg').hover({ position: { x: 2, y: 50 } });
    await at('chart-BTC-top').getByText('Oct 22: ').waitFor();
    await page.mouse.move(0, 0);
    await at('chart-BTC-top').getByText(before).waitFor();
  });

  it('breaks no date and no label on a phone', async () => {
    server.state.hasStats = true;
    await open('', 'chart-BTC');
    await page.setViewportSize({ width: 320, height: 700 });
    await at('chart-BTC-summary').press('Enter');
    const lines = await page
      .locator('[data-testid=chart-BTC] :is(tbody th, .chart__days span, .chart__scale span)')
      .evaluateAll(
        (parts) => parts.filter((cell) => cell.getClientRects().length > 1 || cell.scrollHeight > 40).length,
      );
    expect(lines).toBe(0);
    expect(await findCardOverflow(page)).toEqual([]);
  });
});

describe('the donations', () => {
  it.each(TIGHT_SIZES)(
    'list what arrived with its message, and nothing unpaid: $width × $height',
    async (size) => {
      await page.setViewportSize(size);
      const arrived = {
        type: 'donation',
        expected_amount: null,
        due_amount: null,
        payment_uri: null,
      } as const;
      const paid = {
        ...arrived,
        status: 'confirmed',
        received_amount: '50000',
        confirmed_amount: '50000',
      } as const;
      server.state.invoices = [
        merchantInvoice({ ...arrived, public_id: 'inv_A', donor_name: 'Nobody' }),
        merchantInvoice({
          ...paid,
          public_id: 'inv_B',
          donor_name: 'Grace',
          donor_message: 'Nice endgame!',
        }),
        merchantInvoice({
          ...paid,
          public_id: 'inv_C',
          status: 'late_payment',
          donor_message: 'Too late?',
          created_at: '2026-11-01T00:00:00.000Z',
        }),
      ];
      await open('/donations', 'donation-table');
      expect(await cells('donation-table', 'From')).toEqual(['Grace', 'Anonymous']);
      expect(await cells('donation-table', 'Message')).toEqual(['Nice endgame!', 'Too late?']);
      expect(await cells('donation-table', 'Amount')).toEqual(['0.0005\u00a0BTC', '0.0005\u00a0BTC']);
      for (const message of await page.locator('td[data-head=Message]').all())
        expect(await message.isVisible()).toBe(true);
      expect(await findCardOverflow(page)).toEqual([]);
    },
  );
});

describe('the moderation', () => {
  it('is saved, with each own word once', async () => {
    await open('/donations', 'moderation');
    await page.getByTestId('hold').selectOption('links_and_words');
    await page.getByLabel('Your own words').fill('spoiler\n\n  other words \nspoiler\nx');
    await page.getByTestId('save-moderation').click();
    await page.getByTestId('moderation-saved').waitFor();
    expect(server.state.moderation).toMatchObject({
      hold: 'links_and_words',
      words: ['spoiler', 'other words'],
    });
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await takeScreenshot(page, 'moderation-panel');
  });

  it('has no control page until the owner creates it; its link can be replaced', async () => {
    await open('/donations', 'moderation');
    expect(await page.getByTestId('open-control').count()).toBe(0);
    await page.getByTestId('create-control').click();
    await page.getByTestId('open-control').waitFor();
    expect(await page.getByTestId('open-control').getAttribute('href')).toBe(
      'https://pay.example/control/tok_new',
    );
    await page.getByTestId('rotate-control').click();
    await page.getByTestId('rotate-control-confirm').click();
    await page.getByTestId('rotated-control').waitFor();
    expect(server.state.calls.filter(({ id }) => id === 'rotateProjectToken')).toHaveLength(2);
    await takeScreenshot(page, 'control-link');
  });
});

describe('the donation page', () => {
  it('is saved with links, amounts in a currency and minimums, and marks what is invalid', async () => {
    await open('/donations', 'donation-page');
    await at('own_color').check();
    await at('accent').fill('#ffee00');
    await at('page_text').fill('Thank you for watching!');
    await at('add-link').click();
    await at('link_0_title').fill('My channel');
    await at('link_0_url').fill('http://stream.example/ada');
    await at('suggestions').selectOption('prices');
    await at('suggested_prices').fill('5; 10 2,50 many');
    await at('min_message_btc').fill('0,0001');
    await at('show_goal').check();
    await at('show_latest').check();
    await at('save-donation-page').click();
    expect(await at('suggested_prices-error').innerText()).toContain('one to four amounts');
    await at('suggested_prices').fill('5; 10 2,50');
    expect(await at('suggested_prices-error').count()).toBe(0);
    await at('save-donation-page').click();
    await at('link_0_url-error').waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await at('link_0_url').fill('https://stream.example/ada');
    await at('save-donation-page').click();
    await at('donation-page-saved').waitFor();
    expect(server.state.donationPage).toEqual({
      picture: null,
      accent_color: '#ffee00',
      text: 'Thank you for watching!',
      links: [{ title: 'My channel', url: 'https://stream.example/ada' }],
      suggested_amounts: null,
      suggested_prices: { currency: 'EUR', amounts: ['5', '10', '2.50'] },
      min_message_btc: '10000',
      min_message_ltc: '0',
      show_goal: true,
      show_latest: true,
    });
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await takeScreenshot(page, 'donation-page-panel');
  });

  it.each([320, 390])('stays inside a phone: %i px', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await open('/donations', 'donation-page');
    await at('own_color').check();
    await at('add-link').click();
    await at('suggestions').selectOption('coins');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await takeScreenshot(page, `donation-page-panel-${width}`);
  });

  it('uploads a picture as a file, and uses it once the form is saved', async () => {
    const id = 'upl_8yXq3mJ2NdPz5KcVh7RtWb';
    await page.route('**/v1/public/uploads/*', (route) => route.fulfill({ status: 404 }));
    await page.route('**/v1/uploads?*', (route) => route.fulfill({ status: 201, json: { id } }));
    await open('/donations', 'donation-page');
    const [sent] = await Promise.all([
      page.waitForRequest('**/v1/uploads?*'),
      at('picture').setInputFiles({ name: 'ada.png', mimeType: 'image/png', buffer: Buffer.from('PNG') }),
    ]);
    expect(sent.headers()).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-paywatch-page': 'account',
    });
    expect(new URL(sent.url()).searchParams.get('kind')).toBe('image');
    expect(sent.postData()).toBe('PNG');
    await at('picture-sample').waitFor();
    await at('save-donation-page').click();
    await at('donation-page-saved').waitFor();
    expect(server.state.donationPage.picture).toBe(id);
    await at('remove-picture').click();
    await at('picture-sample').waitFor({ state: 'detached' });
  });

  it('offers its QR code as a file', async () => {
    await open('/donations', 'donation-page');
    const [download] = await Promise.all([page.waitForEvent('download'), at('download-qr').click()]);
    expect(download.suggestedFilename()).toBe('donation-page.svg');
  });
});

describe('the branding of the payment pages', () => {
  it('is saved with logo, color and links, and marks what is invalid', async () => {
    await open('/settings', 'branding');
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: samplePicture('png') };
    await at('logo').setInputFiles(logo);
    await at('logo-sample').waitFor();
    await at('own_color').check();
    await at('accent').fill('#6441a5');
    await at('terms_url').fill('http://shop.example/terms');
    await at('support_url').fill('help@shop.example');
    await at('branding-save').click();
    await at('terms_url-error').waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await at('terms_url').fill('https://shop.example/terms');
    await at('branding-save').click();
    await at('branding-saved').waitFor();
    expect(server.state.branding).toEqual({
      logo: 'upl_1',
      accent_color: '#6441a5',
      terms_url: 'https://shop.example/terms',
      support_url: 'mailto:help@shop.example',
    });
    await takeScreenshot(page, 'branding-panel');
    await at('remove-logo').click();
    await at('logo-sample').waitFor({ state: 'detached' });
    await at('branding-save').click();
    await at('branding-saved').waitFor();
    expect(server.state.branding.logo).toBeNull();
    expect(await at('support_url').inputValue()).toBe('help@shop.example');
  });

  it.each([320, 390])('stays inside a phone: %i px', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await open('/settings', 'branding');
    await at('own_color').check();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await takeScreenshot(page, `branding-panel-${width}`);
  });
});

/** The changes of the overlay settings that were saved, in order. */
const saved = () =>
  server.state.calls.filter(({ id }) => id === 'updateOverlaySettings').map(({ body }) => body);

/** All saved changes together. */
const merged = () => Object.assign({}, ...saved()) as Partial<OverlaySettings>;

describe('the overlay settings', () => {
  it('are saved with each change, and the preview follows through its stream', async () => {
    await open('/donations', 'overlay-settings');
    await at('overlay-settings-summary').press('Enter');
    await at('template').selectOption('plain');
    await at('theme').selectOption('light');
    const preview = page.frameLocator('[data-testid=overlay-preview]');
    await preview.locator('#page[data-template=plain][data-theme=light]').waitFor();
    await expect.poll(saved).toEqual([{ template: 'plain', theme: 'light' }]);
    expect(await at('fiat_currency').count()).toBe(0);
    await at('amounts').selectOption('both');
    await at('fiat_currency').selectOption('USD');
    await expect.poll(merged).toMatchObject({ amounts: 'both', fiat_currency: 'USD' });
    await at('min_btc').fill('0,0001');
    await at('duration').fill('61');
    expect(await at('duration-error').innerText()).toBe('Enter 1 to 60 seconds.');
    await at('duration').fill('8');
    expect(await at('duration-error').count()).toBe(0);
    await expect.poll(() => saved().at(-1)).toMatchObject({ duration_seconds: 8, min_amount_btc: '10000' });
    await page.reload();
    await at('overlay-settings-summary').press('Enter');
    expect(await at('template').inputValue()).toBe('plain');
    expect(await at('min_btc').inputValue()).toBe('0.0001');
  });

  it('have tiers that are added, changed and removed, in English and in German', async () => {
    await open('/donations', 'overlay-settings');
    await at('overlay-settings-summary').press('Enter');
    await at('sentence').fill('{name} {name}');
    expect(await at('sentence-error').innerText()).toContain('at most once each');
    await at('sentence').fill('{name} sent {amount}!');
    await at('speech').check();
    await at('add-tier').click();
    await at('add-tier').click();
    await at('tier_2_template').selectOption('neon');
    await at('tier_2_minBtc').fill('0.05');
    await at('tier_1_remove').click();
    await at('tier_1_minBtc').waitFor();
    expect(await at('tier_1_minBtc').inputValue()).toBe('0.05');
    await expect.poll(merged).toMatchObject({
      sentence: '{name} sent {amount}!',
      speech: true,
      tiers: [{ min_amount_btc: '5000000', min_amount_ltc: '100000000', template: 'neon' }],
    });
    await page.mouse.move(0, 0);
    expect(await auditPage(page, 'overlay-settings')).toEqual({});
    await page.goto(`${server.url}/account/donations?lang=de`);
    await at('overlay-settings-summary').press('Enter');
    await at('tier_1_template').waitFor();
    await page.setViewportSize({ width: 320, height: 700 });
    await takeScreenshot(page, 'overlay-settings-de-320');
    expect(await findCardOverflow(page)).toEqual([]);
  });

  it('show why a change was not saved, and take it back', async () => {
    await open('/donations', 'overlay-settings');
    await at('overlay-settings-summary').press('Enter');
    await at('theme').waitFor();
    await page.route('**/v1/overlay/settings', (route) => route.fulfill({ status: 503, body: '' }));
    await at('theme').selectOption('light');
    await at('problem').waitFor();
    expect(await at('theme').inputValue()).toBe('dark');
  });
});

/** Chooses a file to upload. */
const choose = (name: string, buffer: Buffer) =>
  at('upload-file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
/**
 * Opens the settings of the overlay, here and elsewhere with the keyboard: while panels above are being filled, the summary moves, and a
 * click that starts on it ends beside it.
 */
const openSettings = async () => {
  await open('/donations', 'overlay-settings');
  await at('overlay-settings-summary').press('Enter');
  await at('uploads').waitFor();
};
/** The options of a field. */
const labels = (id: string) => at(id).locator('option').allInnerTexts();

describe('uploads', () => {
  it('can be previewed, chosen for alerts and deleted', async () => {
    await openSettings();
    await choose('confetti.gif', sampleGif({ width: 120, height: 80, frames: 3 }));
    await at('upload-added').waitFor();
    await choose('horn.wav', sampleWav(1200));
    await expect
      .poll(() => at('upload').allInnerTexts())
      .toEqual([
        expect.stringMatching(/horn\.wav\s+1\.2 seconds, 19 KB/),
        expect.stringMatching(/confetti\.gif\s+120 × 80 pixels, \d+ KB/),
      ]);
    expect((await labels('image')).at(-1)).toBe('confetti.gif');
    expect((await labels('sound')).at(-1)).toBe('horn.wav');
    await at('image').selectOption('confetti.gif');
    await at('add-tier').click();
    await at('tier_1_sound').selectOption('horn.wav');
    await expect.poll(merged).toMatchObject({
      image_upload: 'upl_1',
      tiers: [{ image_upload: 'upl_1', sound: 'chime', sound_upload: 'upl_11' }],
    });
    const preview = page.frameLocator('[data-testid=overlay-preview]');
    await preview.locator('.alert__image[src$=upl_1]').waitFor();
    await page.evaluate(() => {
      const { play } = HTMLAudioElement.prototype;
      HTMLAudioElement.prototype.play = function recorded() {
        document.documentElement.dataset['played'] = new URL(this.src).pathname;
        return play.call(this);
      };
    });
    await at('play-upload').click();
    await page.locator('html[data-played="/v1/public/uploads/upl_11"]').waitFor();
    await page.locator('[data-testid=play-upload][data-playing=false]').waitFor();
    await page.mouse.move(0, 0);
    expect(await auditPage(page, 'uploads')).toEqual({});
    expect(await findCardOverflow(page)).toEqual([]);
    await at('delete-upload').last().click();
    await at('delete-upload-confirm').last().click();
    await expect.poll(() => at('upload').count()).toBe(1);
    expect(await at('image').inputValue()).toBe('none');
    await preview.locator('.alert__image[src$=upl_1]').waitFor({ state: 'hidden' });
    await page.reload();
    await at('overlay-settings-summary').press('Enter');
    await at('tier_1_sound').waitFor();
    expect(await at('tier_1_sound').inputValue()).toBe('upl_11');
    expect(await at('tier_1_image').inputValue()).toBe('none');
  });

  it('that the API would refuse are refused in plain words, in English and in German', async () => {
    await openSettings();
    await choose('large.png', Buffer.alloc(700 * 1024));
    await at('upload-problem').waitFor();
    expect(await at('upload-problem').innerText()).toBe('The file is 700 KB. The limit is 512 KB.');
    expect(server.state.calls.filter(({ id }) => id === 'createUpload')).toEqual([]);
    await choose('page.png', Buffer.from('<svg onload="alert(1)"/>'));
    await expect
      .poll(() => at('upload-problem').innerText())
      .toContain('damaged or its type is not supported');
    await choose('long.wav', sampleWav(11_000));
    await expect
      .poll(() => at('upload-problem').innerText())
      .toBe('The sound is too long; at most 10 seconds.');
    await page.goto(`${server.url}/account/donations?lang=de`);
    await at('overlay-settings-summary').press('Enter');
    await at('uploads').waitFor();
    await choose('gross.gif', Buffer.alloc(513 * 1024));
    await at('upload-problem').waitFor();
    expect(await at('upload-problem').innerText()).toBe(
      'Die Datei hat 513 KB. Erlaubt sind höchstens 512 KB.',
    );
    await choose('ein-sehr-langer-name-einer-datei-der-nirgends-umbrochen-werden-kann.gif', sampleGif());
    await at('upload-added').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await at('uploads').scrollIntoViewIfNeeded();
    await takeScreenshot(page, 'uploads-de-390');
    expect(await findCardOverflow(page)).toEqual([]);
  });
});

describe('a wallet to verify', () => {
  it('is asked for an address that the page does not show before a mismatch', async () => {
    const wallet = walletState({ verified: false });
    server.state.me.project.wallets = [wallet];
    await open('/wallets', 'own-address');
    const text = async () => (await at('wallet-BTC').innerText()).replaceAll(/\s/g, '');
    expect(await text()).not.toContain(wallet.verification_address);
    await at('own-address').fill('bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g');
    await at('verify-submit').click();
    await at('verification-address').waitFor();
    expect(await text()).toContain(wallet.verification_address);
  });
});

describe('the change history of wallets', () => {
  it('names what the operator changed', async () => {
    const change = { currency: 'BTC', verification_address: 'bc1q', at: '2026-11-20T10:00:00.000Z' } as const;
    server.state.me.project.wallet_changes = [
      { ...change, action: 'gap_limit_changed', gap_limit: 100, actor: 'operator' },
      { ...change, action: 'verified', actor: '7Hq2VxN9' },
    ];
    await open('/wallets', 'wallet-changes');
    const text = await at('wallet-changes').innerText();
    expect(text).toContain('BTC gap limit set to 100, by the operator');
    expect(text).toContain('BTC verified, with API key 7Hq2VxN9');
  });
});

describe('the gap limit', () => {
  it('is changed on the wallets screen, which then names the limit for the wallet software', async () => {
    await open('/wallets', 'wallet-BTC');
    await at('gap-limit-BTC').locator('summary').press('Enter');
    await at('gap_limit_BTC').fill('60');
    await at('gap-limit-submit').click();
    await at('gap-limit-saved').waitFor();
    expect(await at('gap-limit-saved').innerText()).toContain('at least 60');
    expect(server.state.me.project.wallets[0]?.gap_limit).toBe(60);
  });
});

describe('an address pool', () => {
  it('names what is free of all addresses, and what the gap limit means', async () => {
    const addresses = { free: 31, leased: 5, quarantined: 1, limited: false };
    server.state.me.project.wallets = [walletState({ gap_limit: 30, addresses })];
    await open('/wallets', 'gap-BTC');
    const words = await at('gap-BTC').innerText();
    expect(words).toContain('31 of 37 addresses free');
    expect(words).toContain('up to 30 past the last one that was paid');
  });
});

describe('an invoice', () => {
  const late = {
    status: 'late_payment',
    received_amount: '123400',
    due_amount: '0',
    payment_uri: null,
  } as const;

  it('that was paid too little names no confirmations of its own, only those of its payments', async () => {
    server.state.invoices = [
      merchantInvoice({
        ...late,
        payments: [
          payment({ amount: '1000', late: true, status: 'confirmed', confirmations: 2 }),
          payment({ amount: '1000', late: true, vout: 1 }),
        ],
      }),
    ];
    await open(`/invoices/${server.state.invoices[0]?.public_id}`, 'payment-table');
    expect(await at('confirmations').count()).toBe(0);
    expect(await at('payment-table').innerText()).toContain('2 / 2');
  });

  it('calls a payment in a block confirming, not unconfirmed', async () => {
    const payments = [payment({ confirmations: 1 })];
    server.state.invoices = [merchantInvoice({ ...late, status: 'pending', confirmations: 1, payments })];
    await open(`/invoices/${server.state.invoices[0]?.public_id}`, 'payment-table');
    expect(await at('payment-table').innerText()).toMatch(/1 \/ 2\s+confirming/);
    expect(await at('confirmations').innerText()).toBe('1 / 2');
  });

  it('that is new looks different from one that expired', async () => {
    server.state.invoices = [
      merchantInvoice({ public_id: 'inv_new' }),
      merchantInvoice({ public_id: 'inv_over', status: 'expired' }),
    ];
    await open('/invoices', 'invoice-table');
    const colours = await page
      .locator('[data-testid=invoice-table] [data-testid=status]')
      .evaluateAll((badges) => badges.map((badge) => getComputedStyle(badge).backgroundColor));
    expect(new Set(colours).size).toBe(2);
  });
});

describe('the list of invoices', () => {
  it('is searched, and sums what is shown', async () => {
    server.state.invoices = [
      merchantInvoice({ public_id: 'inv_shoes', order_id: 'Shoes-17', received_amount: '150000' }),
      merchantInvoice({ public_id: 'inv_socks', order_id: 'Socks-18', received_amount: '100' }),
      merchantInvoice({ public_id: 'inv_Ltc', order_id: 'Hat', currency: 'LTC', received_amount: '2' }),
    ];
    await open('/invoices', 'totals');
    expect(await at('totals').innerText()).toBe(
      '3 invoices shown, received: 0.001501\u00a0BTC + 0.00000002\u00a0LTC',
    );
    await at('search').fill(' s');
    await at('search-submit').click();
    expect(await at('search-error').innerText()).toContain('two characters');
    await at('search').fill(' shoes ');
    await at('search').press('Enter');
    await page.waitForURL(/\/invoices\?search=shoes$/);
    await page.getByText('1 invoice shown', { exact: false }).waitFor();
    expect(await at('invoice-table').innerText()).toContain('Shoes-17');
    await takeScreenshot(page, 'account-search');
  });

  it('says that older invoices are left, as long as a search has not found any', async () => {
    server.state.invoices = Array.from({ length: 60 }, () => merchantInvoice({}));
    server.state.searchedAtOnce = 50;
    server.state.invoices.push(merchantInvoice({ public_id: 'inv_ancient', order_id: 'needle' }));
    await open('/invoices?search=needle', 'load-more');
    expect(await page.getByText('Older ones have not been searched yet').count()).toBe(1);
    await at('load-more').click();
    await at('inv_ancient').waitFor();
    expect(await at('load-more').count()).toBe(0);
  });

  it('is downloaded with its filters, as invoices or as payments', async () => {
    server.state.invoices = [merchantInvoice({})];
    await open('/invoices?status=new', 'invoice-table');
    for (const [kind, operation] of [
      ['invoices', 'exportInvoices'],
      ['payments', 'exportPayments'],
    ] as const) {
      const download = page.waitForEvent('download');
      await at(`download-${kind}-csv`).click();
      expect((await download).suggestedFilename()).toBe(`paywatch-${kind}.csv`);
      const query = server.state.calls.find(({ id }) => id === operation)?.query;
      expect(query).toContain('status=new');
      expect(query).toContain('format=csv');
    }
  });
});

describe('the endpoint', () => {
  it('gets a new secret without its URL being typed again', async () => {
    const url = 'https://shop.example/webhooks/paywatch';
    const createdAt = '2026-11-02T10:00:00.000Z';
    server.state.me.project.webhook = { url, created_at: createdAt, status: 'healthy', failing_since: null };
    await open('/webhooks', 'rotate-secret');
    await at('rotate-secret').click();
    await at('rotate-secret-confirm').click();
    expect(await at('rotated-secret').innerText()).toMatch(/^whsec_/);
    expect(server.state.calls.filter(({ id }) => id === 'rotateWebhookSecret')).toHaveLength(1);
  });

  it('that fails says why and when the next attempt is due, and does not say Working', async () => {
    const next = new Date(Date.now() + 1_800_000).toISOString();
    server.state.endpoints = [
      endpointOf({
        status: 'failing',
        failing_since: '2026-11-20T10:00:00.000Z',
        last_error: 'connection refused',
        next_attempt_at: next,
      }),
    ];
    await open('/webhooks', 'endpoint-status');
    expect(await at('endpoint-status').innerText()).toMatch(/^Failing since/);
    expect(await at('endpoint-error').innerText()).toBe('connection refused');
    expect(await at('endpoint-next').locator('time').getAttribute('datetime')).toBe(next);
    expect(await at('endpoints').innerText()).not.toContain('Working');
  });

  it('that was never tried does not claim to work', async () => {
    server.state.endpoints = [endpointOf({ status: 'untested' })];
    await open('/webhooks', 'endpoint-status');
    expect(await at('endpoint-status').innerText()).toBe('No attempts yet');
  });

  it('is added beside others with the events that it wants, and shows its secret once', async () => {
    server.state.endpoints = [endpointOf()];
    await open('/webhooks', 'endpoint-add');
    await at('endpoint-add').locator('summary').press('Enter');
    await at('url_new').fill('https://books.example/paywatch');
    await at('description_new').fill('Accounting');
    await at('invoice.expired_new').uncheck();
    await at('invoice.underpaid_new').uncheck();
    await at('endpoint-save_new').click();
    expect(await at('endpoint-secret').innerText()).toMatch(/^whsec_/);
    expect(server.state.calls.find(({ id }) => id === 'createWebhookEndpoint')?.body).toEqual({
      url: 'https://books.example/paywatch',
      description: 'Accounting',
      event_types: ['invoice.confirmed', 'invoice.late_payment'],
    });
    await at('endpoint-we_3').waitFor();
    expect(await at('endpoint-we_3').innerText()).toContain('Invoice confirmed, Late payment');
  });

  it('is changed, disabled, enabled and deleted by itself', async () => {
    server.state.endpoints = [
      endpointOf(),
      endpointOf({ id: 'we_2', url: 'https://books.example/', description: 'Accounting' }),
    ];
    await open('/webhooks', 'endpoint-we_2');
    const books = at('endpoint-we_2');
    await at('endpoint-edit-we_2').locator('summary').press('Enter');
    await at('description_we_2').fill('Books');
    await at('endpoint-save_we_2').click();
    await books.getByText('Books', { exact: true }).waitFor();
    await books.locator('[data-testid=endpoint-disable]').click();
    await books.locator('[data-testid=endpoint-enable]').click();
    await books.locator('[data-testid=endpoint-disable]').waitFor();
    await books.locator('[data-testid=endpoint-delete]').click();
    await books.locator('[data-testid=endpoint-delete-confirm]').click();
    await books.waitFor({ state: 'detached' });
    expect(server.state.endpoints.map(({ id }) => id)).toEqual(['we_1']);
  });

  it('gets a test event alone if it is chosen', async () => {
    server.state.me.project.webhook = {
      url: 'https://shop.example/',
      created_at: '2026-11-02T10:00:00.000Z',
      status: 'healthy',
      failing_since: null,
    };
    server.state.endpoints = [endpointOf({ id: 'we_2', description: 'Accounting' })];
    await open('/webhooks', 'test-endpoint');
    await at('test-endpoint').selectOption('we_2');
    await at('test-event-send').click();
    await at('event-outcome').waitFor();
    const sent = server.state.calls.find(({ id }) => id === 'testWebhook')?.body;
    expect(sent).toEqual({ type: 'invoice.confirmed', endpoint_id: 'we_2' });
    await at('endpoint').selectOption('we_2');
    const asked = () => server.state.calls.findLast(({ id }) => id === 'listEvents')?.query;
    await expect.poll(asked).toContain('endpoint_id=we_2');
  });
});

describe('an API key', () => {
  it('has its status in one column and its button in another', async () => {
    server.state.keys = [
      apiKeyOf(),
      apiKeyOf({ key_public: 'K3mPqT8w', revoked_at: '2026-11-03T10:00:00.000Z' }),
    ];
    await open('/keys', 'key-table');
    expect(await cells('key-table', 'Status')).toEqual(['Active', 'Revoked']);
    expect(await cells('key-table', 'Actions')).toEqual(['Revoke', '']);
  });
});

describe('the form of an API key', () => {
  it('asks for name, permissions, expiry and addresses, and the list shows them', async () => {
    await open('/keys', 'key-form');
    await at('name').fill('Shop server');
    await at('scope').selectOption('custom');
    await page.getByLabel('Read invoices').check();
    await page.getByLabel('Read statistics').check();
    await page.locator('[data-testid=key-more] summary').click();
    await at('expires_at').fill('2099-11-20');
    await at('allowed_addresses').fill('203.0.113.7, 2001:db8::/48');
    await at('key-create').click();
    await at('api-key-token').waitFor();
    const sent = server.state.calls.find(({ id }) => id === 'createApiKey')?.body;
    expect(sent).toEqual({
      name: 'Shop server',
      scopes: ['invoices:read', 'stats:read'],
      expires_at: await page.evaluate(() => new Date('2099-11-20T23:59:59').toISOString()),
      allowed_addresses: ['203.0.113.7', '2001:db8::/48'],
    });
    await at('key-table').waitFor();
    expect(await cells('key-table', 'Key')).toEqual([expect.stringContaining('Shop server')]);
    expect(await cells('key-table', 'Access')).toEqual(['Read invoices, Read statistics']);
    expect(await cells('key-table', 'From')).toEqual(['203.0.113.7, 2001:db8::/48']);
    expect(await cells('key-table', 'Status')).toEqual([expect.stringMatching(/^Active\s+until/)]);
  });
});

describe('an invoice with a price', () => {
  const price = { amount: '107.87', currency: 'EUR' };
  const rate = {
    value: '87412.3525',
    currency: 'EUR',
    sources: ['bitstamp (local)', 'kraken (local)'],
    taken_at: '2026-11-20T12:00:00.000Z',
  };

  it('shows it in the list beside the coins', async () => {
    server.state.invoices = [merchantInvoice({ price, rate })];
    await open('/invoices', 'invoice-table');
    expect(await cells('invoice-table', 'Amount')).toEqual([expect.stringContaining('107.87\u00a0EUR')]);
  });

  it('shows it with its rate, and the sources and the time of the rate', async () => {
    server.state.invoices = [merchantInvoice({ price, rate })];
    await open(`/invoices/${server.state.invoices[0]?.public_id}`, 'price');
    expect(await at('price').innerText()).toBe('107.87\u00a0EUR');
    const shown = await at('rate').innerText();
    expect(shown).toContain('1\u00a0BTC = 87,412.3525\u00a0EUR (bitstamp (local), kraken (local))');
    expect(await at('rate').locator('time').getAttribute('datetime')).toBe(rate.taken_at);
  });
});

describe('the currency of the project', () => {
  const worth = { amount: '107.87', currency: 'EUR', rate: '87412.3525' };
  const paid = { status: 'confirmed', received_amount: '123400', confirmed_amount: '123400' } as const;

  it('is chosen in the settings, or none', async () => {
    await open('/settings', 'fiat-form');
    for (const code of ['EUR', '']) {
      await at('project_fiat_currency').selectOption(code);
      await at('fiat-save').click();
      await at('fiat-saved').waitFor();
    }
    const sent = server.state.calls.filter(({ id }) => id === 'updateProject').map(({ body }) => body);
    expect(sent).toEqual([{ fiat_currency: 'EUR' }, { fiat_currency: null }]);
  });

  it('is beside the coins of an invoice, in the list and in its totals, which count those without a rate apart', async () => {
    server.state.invoices = [
      merchantInvoice({ ...paid, accepted_in_fiat: worth }),
      merchantInvoice({ ...paid, public_id: merchantInvoiceId('B') }),
    ];
    await open('/invoices', 'invoice-table');
    expect(await cells('invoice-table', 'Received')).toEqual([
      expect.stringContaining('107.87\u00a0EUR'),
      '0.001234\u00a0BTC',
    ]);
    expect(await at('totals-worth').innerText()).toContain('107.87\u00a0EUR, 1 payment without a rate');
    await page.locator('[data-testid=invoice-table] a').first().click();
    await at('worth').waitFor();
    expect(await at('worth').innerText()).toBe('107.87\u00a0EUR\n1\u00a0BTC = 87,412.3525\u00a0EUR');
  });

  it('has its sum on the overview, with the payments that have no rate', async () => {
    server.state.hasStats = true;
    await open('', 'accepted-in-fiat');
    expect(await at('accepted-EUR').innerText()).toBe('20,734.50\u00a0EUR');
    expect(await at('without-rate').innerText()).toMatch(/^\d+ payments without a rate$/);
  });
});

describe('the margins on prices', () => {
  it('are entered in percent, and empty means none', async () => {
    await open('/settings', 'margins-form');
    expect(await at('price_margin_bps').inputValue()).toBe('0');
    expect(await at('long_price_margin_bps').inputValue()).toBe('');
    await at('price_margin_bps').fill('1.5');
    await at('long_price_margin_bps').fill('4,25');
    await at('margins-save').click();
    await at('margins-saved').waitFor();
    await at('long_price_margin_bps').fill('');
    await at('margins-save').click();
    await at('margins-saved').waitFor();
    const sent = server.state.calls.filter(({ id }) => id === 'updateProject').map(({ body }) => body);
    expect(sent).toEqual([
      { price_margin_bps: 150, long_price_margin_bps: 425 },
      { price_margin_bps: 150, long_price_margin_bps: null },
    ]);
  });

  it.each(['', 'x', '-1', '50.01', '1.234'])('%j is refused before it is sent', async (typed) => {
    await open('/settings', 'margins-form');
    await at('price_margin_bps').fill(typed);
    await at('margins-save').click();
    await page.getByText('Enter a percentage from 0 to 50').waitFor();
    expect(server.state.calls.filter(({ id }) => id === 'updateProject')).toEqual([]);
  });
});

describe('the audit log', () => {
  it('shows who changed what and from where, filters by action, and is downloaded with the filter', async () => {
    server.state.audit = [
      auditLineOf(),
      auditLineOf({ id: '1b6d2b0e-3a0e-4c1c-9f57-2d9b8f6f2f12', action: 'password.changed' }),
    ];
    await open('/settings', 'audit-link');
    await at('audit-link').click();
    await at('audit-table').waitFor();
    expect(await cells('audit-table', 'Action')).toEqual(['Project renamed', 'Password changed']);
    expect((await cells('audit-table', 'Details'))[0]).toBe('name: Shop → Store');
    expect((await cells('audit-table', 'By'))[0]).toBe('merchant@example.com');
    expect((await cells('audit-table', 'Address'))[0]).toBe('203.0.113.7');
    await at('action').selectOption('password.changed');
    await page.locator('[data-testid=audit-table] tbody tr').nth(1).waitFor({ state: 'detached' });
    // The table is absent until the response.
    await expect.poll(() => cells('audit-table', 'Action')).toEqual(['Password changed']);
    const download = page.waitForEvent('download');
    await at('download-csv').click();
    expect((await download).suggestedFilename()).toBe('paywatch-audit-log.csv');
    const query = server.state.calls.find(({ id }) => id === 'exportAuditLog')?.query;
    expect(new URLSearchParams(query).get('action')).toBe('password.changed');
  });
});

describe('a password change', () => {
  it('says that the current password is wrong, at its field', async () => {
    await open('/settings', 'password-form');
    await at('current_password').fill('not this one');
    await at('new_password').fill('long enough too');
    await at('password-change').click();
    expect(await at('current_password-error').innerText()).toBe('The current password is wrong.');
    expect(await at('problem').count()).toBe(0);
  });
});
