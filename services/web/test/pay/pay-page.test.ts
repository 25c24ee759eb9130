import type { PublicInvoiceView } from '@paywatch/domain/contract';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectBrowser, openPage, TIGHT_SIZES } from '../support/browser.ts';
import { allInvoiceStates, invoice, payment } from '../support/invoices.ts';
import { auditPage, findCardOverflow } from '../support/apis/audit-page.ts';
import { startPayerServer } from '../support/apis/payer-api.ts';

let browser: Browser;
let server: Awaited<ReturnType<typeof startPayerServer>>;
let page: Page;
let context: BrowserContext;
let pageErrors: string[];

beforeAll(async () => {
  [browser, server] = await Promise.all([connectBrowser(), startPayerServer()]);
});
afterAll(() => Promise.all([browser.close(), server.close()]));
beforeEach(async () => {
  Object.assign(server.state, { streamMode: 'open', isDown: false, reads: 0 });
  ({ page, context, pageErrors } = await openPage(browser));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterEach(async () => {
  await context.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

let count = 0;
async function open(changes: Partial<PublicInvoiceView> = {}): Promise<PublicInvoiceView> {
  const view = server.put(
    invoice({ ...changes, public_id: `inv_test${'abcdefghijk'[count++] ?? 'z'}` }, Date.now()),
  );
  await page.goto(`${server.url}/pay/${view.public_id}`);
  return view;
}
const seenOnce = ({ expected_amount: amount }: PublicInvoiceView): Partial<PublicInvoiceView> => ({
  status: 'pending',
  received_amount: amount ?? '0',
  due_amount: '0',
  payment_uri: null,
  payments: [payment({}, Date.now())],
});
const become = (view: PublicInvoiceView, name: string) =>
  server.put({ ...(allInvoiceStates(Date.now())[name] ?? view), public_id: view.public_id });
/** Waits for a stage; returns its text. */
async function stage(name: string): Promise<string> {
  await page.locator(`[data-testid=pay][data-stage=${name}]`).waitFor();
  return text('status');
}
/** Records the ids of all stream messages from now on, through the DevTools protocol so that none is missed. */
async function recordEventIds(): Promise<readonly string[]> {
  const session = await context.newCDPSession(page);
  const ids: string[] = [];
  session.on('Network.eventSourceMessageReceived', ({ eventId }) => ids.push(eventId));
  await session.send('Network.enable');
  return ids;
}
const text = (testId: string) => page.locator(`[data-testid=${testId}]`).innerText();
const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

describe('the payment page', () => {
  it('of a donation that was never opened shows no address and offers to start again', async () => {
    const view = await open({ type: 'donation' });
    become(view, 'expired-unseen');
    expect(await stage('expired')).toContain('not opened within two minutes');
    const again = page.locator('[data-testid=start-again]');
    expect(await again.innerText()).toBe('Start again');
    expect(await again.getAttribute('href')).toBe('https://pay.example/donate/tok_ada');
    expect(await page.locator('.details__link').count()).toBe(0);
  });

  it('shows the price beside the coins, and the rate with its sources in the details', async () => {
    const { price, rate } = allInvoiceStates(Date.now())['new-priced'] ?? {};
    if (!price || !rate) throw new Error('the state has both');
    const view = await open({ price: { ...price, amount: '1107.87' }, rate });
    expect(await text('amount-due')).toContain('0.001234');
    expect(await text('price')).toBe('1,107.87\u00a0EUR');
    await page.locator('[data-testid=details] summary').click();
    expect(await text('rate')).toBe(
      '1\u00a0BTC = 87,412.3525\u00a0EUR (binance, bitstamp, coinbase, kraken)',
    );
    // The rest of a payment in part is not the price.
    const short = allInvoiceStates(Date.now())['pending-short'] ?? view;
    server.put({ ...short, public_id: view.public_id, price, rate });
    await stage('partial');
    expect(await page.locator('[data-testid=price]').count()).toBe(0);
  });

  it.each(TIGHT_SIZES)(
    'fills no part of the progress bar before the first confirmation: $width × $height',
    async (size) => {
      await page.setViewportSize(size);
      const view = await open({ confirmations_required: 1 });
      await stage('waiting');
      server.put({ ...view, ...seenOnce(view), version: 2 });
      await stage('seen');
      const step = page.locator('.steps__step');
      expect(await step.getAttribute('data-state')).toBe('next');
      const { image, colour, filled } = await step.evaluate((shown) => {
        const probe = document.createElement('i');
        probe.style.backgroundColor = 'var(--waiting)';
        document.body.append(probe);
        const { backgroundImage, backgroundColor } = getComputedStyle(shown);
        return {
          image: backgroundImage,
          colour: backgroundColor,
          filled: getComputedStyle(probe).backgroundColor,
        };
      });
      expect(image).toBe('none');
      expect(colour).not.toBe(filled);
      expect(await findCardOverflow(page)).toEqual([]);
    },
  );

  it.each(TIGHT_SIZES)(
    'does not call a payment unconfirmed that has a confirmation: $width × $height',
    async (size) => {
      await page.setViewportSize(size);
      const view = await open();
      become(view, 'pending-one-of-two');
      await page.locator('[data-testid=confirmations][data-count="1"]').waitFor();
      await page.locator('[data-testid=details] summary').click();
      expect(await text('payments')).toContain('1 of 2 confirmations');
      expect(await text('pay')).not.toContain('unconfirmed');
      expect(await findCardOverflow(page)).toEqual([]);
    },
  );

  it('updates from waiting to paid without a reload, including the document title', async () => {
    const view = await open();
    await stage('waiting');
    become(view, 'pending');
    await stage('seen');
    expect(await page.locator('[data-testid=confirmations]').getAttribute('data-count')).toBe('0');
    expect(await page.locator('[data-testid=qr]').count()).toBe(0);
    become(view, 'pending-one-of-two');
    await page.locator('[data-testid=confirmations][data-count="1"]').waitFor();
    expect(await text('payments')).toContain('1 of 2 confirmations');
    expect(await text('payments')).not.toContain('unconfirmed');
    become(view, 'confirmed');
    await stage('paid');
    expect(await page.title()).toBe('✓ Paid – Example Shop');
    expect(await page.locator('[data-testid=return-link]').getAttribute('href')).toBe(
      'https://shop.example/thanks',
    );
  });

  it('returns to the shop after a countdown, unless the payer stays or opened the page after the payment', async () => {
    await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'Thank you' }));
    await page.clock.install();
    const paid = await open({ ...allInvoiceStates(Date.now())['confirmed'] });
    await stage('paid');
    expect(await page.locator('[data-testid=return-countdown]').count()).toBe(0);

    server.put({ ...paid, ...seenOnce(paid) });
    await page.reload();
    await stage('seen');
    server.put(paid);
    await stage('paid');
    expect(await text('return-countdown')).toMatch(/^Returning in \d+ seconds?$/);
    await page.locator('[data-testid=return-stop]').click();
    await page.locator('[data-testid=return-countdown]').waitFor({ state: 'detached' });
    await page.clock.runFor(60_000);
    expect(page.url()).toContain(paid.public_id);

    server.put({ ...paid, ...seenOnce(paid) });
    await page.reload();
    await stage('seen');
    server.put(paid);
    await page.locator('[data-testid=return-countdown]').waitFor();
    await page.clock.runFor(60_000);
    await page.waitForURL('https://shop.example/thanks');
  });

  it('asks for the rest at the same address after a partial payment', async () => {
    const view = await open();
    const before = await page.locator('[data-testid=qr] path').getAttribute('d');
    become(view, 'pending-short');
    await stage('partial');
    expect(await text('status')).toContain('Still to pay 0.000734');
    expect(await text('amount-due')).toContain('0.00073400');
    expect((await text('address')).replaceAll(/\s/g, '')).toBe(view.address);
    expect(await page.locator('[data-testid=qr] path').getAttribute('d')).not.toBe(before);
  });

  it('copies the exact amount and address with one tap and confirms it', async () => {
    const view = await open();
    await page.locator('[data-testid=copy-amount]').click();
    await page.locator('[data-testid=copy-amount][data-copied=true]').waitFor();
    expect(await clipboard()).toBe('0.001234');
    await page.locator('[data-testid=address]').click();
    await page.locator('[data-testid=copy-address][data-copied=true]').waitFor();
    expect(await clipboard()).toBe(view.address);
    await page.locator('[data-testid=copy-address][data-copied=false]').waitFor();
  });

  it('can be used with the keyboard only', async () => {
    const view = await open();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-testid'));
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('copy-amount');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('[data-testid=copy-address][data-copied=true]').waitFor();
    expect(await clipboard()).toBe(view.address);
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('open-wallet');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator('[data-testid=details]').getAttribute('open')).not.toBeNull();
    await page.getByText('8 sat/vB confirms in about 30 minutes').waitFor();
  });

  it('removes the payment request when the countdown ends', async () => {
    const view = await open();
    await stage('waiting');
    // Set only now: on a slow machine a short time that began with the load could already be over.
    server.put({ ...view, expires_at: new Date(Date.now() + 3000).toISOString() });
    await stage('closing');
    expect(await page.locator('[data-testid=address]').count()).toBe(0);
  });

  it('counts down by the server clock when the device clock is wrong', async () => {
    await page.addInitScript(() => {
      const [now, origin, wrongBy] = [Date.now, performance.timeOrigin, 5 * 3_600_000];
      Date.now = () => now() + wrongBy;
      Object.defineProperty(performance, 'timeOrigin', { value: origin + wrongBy });
    });
    await open();
    await page.getByText(/^5[0-4]:\d\d$/).waitFor();
    const before = await text('countdown');
    await expect.poll(async () => (await text('countdown')) < before).toBe(true);
  });
});

describe('on a bad connection the payment page', () => {
  it.each(['silent', 'refused'] as const)(
    'detects a payment by polling while streams are %s',
    async (streamMode) => {
      server.state.streamMode = streamMode;
      const view = await open();
      await stage('waiting');
      become(view, 'confirmed');
      expect(await stage('paid')).toBe('Paid');
    },
  );

  it('keeps the last known state with its time while it reconnects', async () => {
    const view = await open();
    await stage('waiting');
    server.state.isDown = true;
    server.dropStreams();
    await page.locator('[data-testid=reconnecting]').waitFor();
    expect(await text('reconnecting')).toMatch(/Reconnecting… Last update at \d/);
    expect(await auditPage(page, 'pay-reconnecting')).toEqual({});
    await stage('waiting');
    become(view, 'pending');
    server.state.isDown = false;
    await stage('seen');
    await page.locator('[data-testid=reconnecting]').waitFor({ state: 'detached' });
  });

  it('can be paid before its script has loaded, and recovers after the device was offline', async () => {
    const session = await context.newCDPSession(page);
    const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
    await session.send('Network.emulateNetworkConditions', slow);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/assets\/.*\.js$/, (route) => held.then(() => route.continue()));
    const view = server.put(invoice({ public_id: 'inv_s1ow' }, Date.now()));
    await page.goto(`${server.url}/pay/inv_s1ow`, { waitUntil: 'commit' });
    for (const id of ['amount-due', 'address', 'qr', 'open-wallet']) {
      await page.locator(`[data-testid=${id}]`).waitFor();
    }
    release();
    const copy = page.locator('[data-testid=copy-amount]');
    // Hydration is not visible from outside: click until the button works.
    const tapped = () => copy.click().then(() => copy.getAttribute('data-copied'));
    await expect.poll(tapped).toBe('true');
    // Make sure that the stream is open before going offline.
    become(view, 'new-delayed');
    await page.locator('[data-testid=chain-delayed]').waitFor();

    await session.send('Network.emulateNetworkConditions', { ...slow, offline: true });
    await page.locator('[data-testid=reconnecting]').waitFor();
    await stage('waiting');
    become(view, 'pending');
    await session.send('Network.emulateNetworkConditions', slow);
    await page.locator('[data-testid=pay][data-stage=seen]').waitFor();
    await page.locator('[data-testid=reconnecting]').waitFor({ state: 'detached' });
    expect(await text('status')).toContain('Payment seen');
  });

  it('shows no notice when the stream reconnects to another replica', async () => {
    const view = await open();
    await stage('waiting');
    server.dropStreams();
    become(view, 'pending');
    await stage('seen');
    expect(await page.locator('[data-testid=reconnecting]').count()).toBe(0);
  });

  it('ignores a version older than the one it shows', async () => {
    const view = await open();
    become(view, 'confirmed');
    await stage('paid');
    const ids = await recordEventIds();
    server.invoices.set(view.public_id, { ...view, version: 1 });
    server.dropStreams();
    await expect.poll(() => ids).toEqual(['1']);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await stage('paid')).toBe('Paid');
  });

  it('stops polling once the invoice is final', async () => {
    server.state.streamMode = 'refused';
    const view = await open();
    become(view, 'confirmed');
    await stage('paid');
    const { reads } = server.state;
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.waitForTimeout(500);
    expect(server.state.reads).toBe(reads);
  });
});

describe('without JavaScript the payment page', () => {
  it('shows amount, address, QR code and state, and hides controls that need JavaScript', async () => {
    const plain = await openPage(browser, { javaScriptEnabled: false });
    const view = server.put(invoice({ public_id: 'inv_P1ain' }, Date.now()));
    await plain.page.goto(`${server.url}/pay/${view.public_id}`);
    for (const id of ['amount-due', 'address', 'qr', 'status', 'open-wallet']) {
      expect(await plain.page.locator(`[data-testid=${id}]`).isVisible(), id).toBe(true);
    }
    expect(await plain.page.locator('button:visible').count()).toBe(0);
    await plain.context.close();
  });
});

describe('an unknown invoice', () => {
  it('is answered with an error page and status 404', async () => {
    const response = await page.goto(`${server.url}/pay/inv_nothing`);
    expect(response?.status()).toBe(404);
    expect(await page.locator('[data-testid=problem]').getAttribute('data-code')).toBe('invoice_not_found');
    expect(await auditPage(page, 'problem')).toEqual({});
  });
});
