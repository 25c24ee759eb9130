import { printFigures } from '@paywatch/dev/commands';
import { waitUntil } from '@paywatch/dev/testing';

import type { Payer } from '@paywatch/dev/wallet';
import { randomInt } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { changeSettings, type Currency, type Invoice, type Merchant } from './merchant.ts';
import { DESKTOP, PHONE, type Scene } from './scene.ts';

/** Waits until the payment page shows a stage. */
export const stage = (page: Page, name: string) =>
  page.locator(`[data-testid=pay][data-stage=${name}]`).waitFor();
const at = (page: Page, testId: string) => page.locator(`[data-testid="${testId}"]`);

/** Pays what the page shows, or a part of it. */
export async function payShown(page: Page, payer: Payer, divisor = 1n): Promise<void> {
  const address = (await page.locator('[data-testid=address]').innerText()).replaceAll(/\s/g, '');
  const link = await page.locator('[data-testid=open-wallet]').getAttribute('href');
  const [, coins = '0'] = /amount=([\d.]+)/.exec(link ?? '') ?? [];
  const [whole = '0', part = ''] = coins.split('.');
  await payer.pay(address, BigInt(whole + part.padEnd(8, '0')) / divisor);
}

async function watch(scene: Scene, invoice: Invoice, viewport = PHONE): Promise<Page> {
  const page = await scene.open({ viewport });
  await page.goto(invoice.pay_url);
  return page;
}

/** Moves the deadline of an invoice to the near future, since the API's minimum is a minute. */
async function endSoon({ sql }: Scene, { public_id: publicId }: Invoice, seconds: number): Promise<void> {
  await sql`update invoices set expires_at = now() + make_interval(secs => ${seconds}),
    deadline_at = now() + make_interval(secs => ${seconds + 1}) where public_id = ${publicId}`;
}

/** The payment page on real chains. */
export function describePayments(sceneOf: () => Scene, merchantOf: () => Merchant): void {
  it.each([
    ['BTC', '2500000', PHONE],
    ['LTC', '5000000', DESKTOP],
  ] as const)(
    'follows a %s payment live from waiting to paid, then returns to the shop',
    async (currency, amount, viewport) => {
      const scene = sceneOf();
      const payer = scene.stack.payers[currency];
      const invoice = await merchantOf().order(currency, amount, {
        return_url: 'https://shop.example/thanks',
      });
      const page = await watch(scene, invoice, viewport);
      await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'Thank you' }));
      await stage(page, 'waiting');
      expect((await at(page, 'address').innerText()).replaceAll(/\s/g, '')).toBe(invoice.address);
      const { txid } = await payer.pay(invoice.address, BigInt(amount));
      await stage(page, 'seen');
      expect(await at(page, 'status').innerText()).toContain('Payment seen');
      expect(await page.content()).toContain(txid.slice(0, 8));
      await payer.mine();
      await page.locator('[data-testid=confirmations][data-count="1"][data-required="2"]').waitFor();
      await payer.mine();
      await page.waitForURL('https://shop.example/thanks');
      await page.context().close();
    },
  );

  it('asks for the rest of a partial payment at the same address, and is paid by it', async () => {
    const scene = sceneOf();
    const payer = scene.stack.payers.BTC;
    const invoice = await merchantOf().order('BTC', '300000');
    const page = await watch(scene, invoice);
    const whole = await at(page, 'qr').locator('path').getAttribute('d');
    await payer.pay(invoice.address, 100_000n);
    await stage(page, 'partial');
    expect(await at(page, 'status').innerText()).toMatch(
      /Received 0\.001\sBTC\.\s+Still to pay 0\.002\sBTC\./,
    );
    expect((await at(page, 'address').innerText()).replaceAll(/\s/g, '')).toBe(invoice.address);
    expect(await at(page, 'qr').locator('path').getAttribute('d')).not.toBe(whole);
    expect(await at(page, 'open-wallet').getAttribute('href')).toContain('amount=0.002');
    await payer.pay(invoice.address, 200_000n);
    await stage(page, 'seen');
    await payer.mine();
    await stage(page, 'paid');
    await page.context().close();
  });

  it('shows that the time is up, then that a payment was late', async () => {
    const scene = sceneOf();
    const payer = scene.stack.payers.LTC;
    const invoice = await merchantOf().order('LTC', '5000000', { ttl_seconds: 60 });
    await endSoon(scene, invoice, 2);
    const page = await watch(scene, invoice);
    await stage(page, 'expired');
    expect(await at(page, 'address').count()).toBe(0);
    expect(await at(page, 'qr').count()).toBe(0);
    await payer.pay(invoice.address, 5_000_000n);
    await payer.mine(2);
    await stage(page, 'late');
    expect(await at(page, 'status').innerText()).toContain('arrived after the time was up');
    await page.context().close();
  });

  it('shows the received amount when the time ends after a partial payment', async () => {
    const scene = sceneOf();
    const payer = scene.stack.payers.BTC;
    const invoice = await merchantOf().order('BTC', '400000');
    await payer.pay(invoice.address, 150_000n);
    await endSoon(scene, invoice, 3);
    const page = await watch(scene, invoice);
    await stage(page, 'partial-closing');
    expect(await at(page, 'status').innerText()).toContain('Send nothing more');
    await payer.mine();
    await stage(page, 'underpaid');
    expect(await page.content()).toContain(invoice.public_id);
    await page.context().close();
  });

  it('shows amount, address and QR code without JavaScript, and reloads itself', async () => {
    const scene = sceneOf();
    const invoice = await merchantOf().order('BTC', '300000');
    const page = await scene.open({ javaScriptEnabled: false });
    await page.goto(invoice.pay_url);
    for (const id of ['amount-due', 'address', 'qr', 'status', 'open-wallet']) {
      expect(await at(page, id).isVisible(), id).toBe(true);
    }
    expect(await page.locator('noscript meta[http-equiv=refresh]').count()).toBe(1);
    await page.context().close();
  });
}

/** The transferred bytes of each page. */
export function describeWeights(sceneOf: () => Scene, merchantOf: () => Merchant): void {
  it('transfers less than 50 KB, with compressed files that are cached forever', async () => {
    const merchant = merchantOf();
    const invoice = await merchant.order('BTC', '300000');
    const urls = {
      payment: invoice.pay_url,
      donation: merchant.donateUrl,
      overlay: merchant.overlayUrl,
      account: `${sceneOf().stack.url}/account`,
    };
    const weights = await Promise.all(
      Object.entries(urls).map(async ([page, url]) => ({
        name: `${page} page, bytes over the wire`,
        value: await weigh(sceneOf(), url),
        reach: { atMost: 50_000 },
      })),
    );
    printFigures(weights);
    for (const { value, reach } of weights) expect(value).toBeLessThan(reach.atMost);
    expect(weights.every(({ value }) => value > 4000)).toBe(true);
  });
}

async function weigh(scene: Scene, url: string): Promise<number> {
  const page = await scene.open();
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength));
  await session.send('Network.enable');
  const faults: string[] = [];
  page.on('response', (response) => {
    const headers = response.headers();
    if (!response.url().includes('/assets/')) return;
    if (!headers['cache-control']?.includes('immutable')) faults.push(`${response.url()} is not kept`);
    if (headers['content-encoding'] === undefined) faults.push(`${response.url()} is not compressed`);
  });
  await page.goto(url, { waitUntil: 'load' });
  await page.locator('#page > *').first().waitFor({ state: 'attached' });
  expect(faults).toEqual([]);
  await page.context().close();
  return bytes;
}

/** Runs in the page, so it is no TypeScript of this folder, which has no DOM. */
const BUTTON_COLOR = `getComputedStyle(document.querySelector('[data-testid=donate-submit]')).backgroundColor`;

/** Donations from the form on a phone to the streamer's alert, and the test alert. */
export function describeDonations(sceneOf: () => Scene, merchantOf: () => Merchant): void {
  it('shows a donation from the form as an alert on the open overlay', async () => {
    const scene = sceneOf();
    const currency: Currency = 'BTC';
    const overlay = await scene.open({ viewport: DESKTOP });
    const connected = overlay.waitForResponse(/overlay\/.+\/events/);
    const goal = { title: 'Camera', unit: 'BTC', target: '0.001', since: null, added: '0' };
    await changeSettings(scene, merchantOf(), '/v1/overlay/sources', { goal });
    const look = { accent_color: '#6441a5', show_goal: true, show_latest: true };
    await changeSettings(scene, merchantOf(), '/v1/donation-page', look);
    await overlay.goto(`${merchantOf().overlayUrl}?duration=60`);
    await connected;
    const donor = await scene.open();
    await donor.goto(merchantOf().donateUrl);
    await donor.locator('label', { hasText: currency }).click();
    await at(donor, 'preset-0.0005').click();
    await at(donor, 'donor-name').fill('Grace <b>Hopper</b>');
    await at(donor, 'donor-message').fill('Beautiful endgame!');
    const preview = donor.frameLocator('[data-testid=preview-frame]').locator('.alert');
    await preview.getByText('Grace <b>Hopper</b>').waitFor();
    expect(await donor.evaluate(BUTTON_COLOR)).toBe('rgb(100, 65, 165)');
    await at(donor, 'donate-submit').click();
    await stage(donor, 'waiting');
    const address = (await at(donor, 'address').innerText()).replaceAll(/\s/g, '');
    await scene.stack.payers.BTC.pay(address, 50_000n);
    await stage(donor, 'seen');
    expect(await at(overlay, 'alert').getAttribute('data-shown')).toBe('false');
    await scene.stack.payers.BTC.mine();
    await donor.getByText('Thank you!').waitFor();
    const alert = overlay.locator('[data-testid=alert][data-shown=true]');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('Grace <b>Hopper</b> 0.0005\u00a0BTC');
    expect(await alert.innerText()).toContain('Beautiful endgame!');
    await donor.goto(merchantOf().donateUrl);
    expect(await at(donor, 'goal').innerText()).toContain('of 0.001\u00a0BTC');
    const line = at(donor, 'latest-donations').locator('li', { hasText: 'Grace' });
    expect(await line.innerText()).toMatch(/^Grace <b>Hopper<\/b>\s+0\.0005\u00a0BTC$/);
    await donor.context().close();
    await overlay.context().close();
  });

  it('solves the proof of work while few addresses are free, then shows the payment', async () => {
    const scene = sceneOf();
    const { donateUrl } = merchantOf();
    const link = donateUrl.replace('/donate/', '/v1/public/donate/');
    const isScarce = async () => {
      const from = `93.1.${randomInt(256)}.${randomInt(1, 255)}`;
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': from };
      const { status } = await fetch(link, { method: 'POST', headers, body: '{"currency":"LTC"}' });
      return status === 422;
    };
    await waitUntil(isScarce, { what: 'few free addresses' });
    const donor = await scene.open();
    await donor.goto(donateUrl);
    await donor.locator('label', { hasText: 'LTC' }).click();
    await at(donor, 'proof-note').waitFor();
    await at(donor, 'donate-submit').click();
    await stage(donor, 'waiting');
    expect(await at(donor, 'address').innerText()).toMatch(/^\S+/);
    await donor.context().close();
  });

  it('creates no donation for a form on another site; returns the filled form, which can be sent from here', async () => {
    const scene = sceneOf();
    const { donateUrl } = merchantOf();
    const donor = await scene.open();
    const form = `<form method="post" action="${donateUrl}"><input name="currency" value="BTC">
      <input name="donor_name" value="Grace"><button>Win</button></form>`;
    await donor.route('http://elsewhere.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: form }),
    );
    await donor.goto('http://elsewhere.example/');
    const answered = donor.waitForResponse(donateUrl);
    await donor.locator('button').click();
    expect((await answered).status()).toBe(403);
    await at(donor, 'donate-failure').getByText('Another website').waitFor();
    expect(await at(donor, 'donor-name').inputValue()).toBe('Grace');
    await at(donor, 'donate-submit').click();
    await stage(donor, 'waiting');
    await donor.context().close();
  });

  it('creates no donation for a script on another site', async () => {
    const scene = sceneOf();
    const link = merchantOf().donateUrl.replace('/donate/', '/v1/public/donate/');
    const visitor = await scene.open();
    await visitor.route('http://elsewhere.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'Free coins' }),
    );
    await visitor.goto('http://elsewhere.example/');
    const countDonations = () =>
      scene.sql`select count(*)::int as count from invoices where type = 'donation'`;
    const before = await countDonations();
    await visitor.evaluate(async (url) => {
      const attempts: RequestInit[] = [
        { headers: { 'Content-Type': 'application/json' } },
        { mode: 'no-cors', headers: { 'Content-Type': 'text/plain' } },
      ];
      const send = (attempt: RequestInit) =>
        fetch(url, { method: 'POST', body: '{"currency":"BTC"}', ...attempt }).catch(() => null);
      await Promise.all(attempts.map(send));
    }, link);
    expect(await countDonations()).toEqual(before);
    // The browser logs the blocked request.
    scene.faults.length = 0;
    await visitor.context().close();
  });
}
