import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectBrowser, findAccessibilityViolations, openPage } from '../support/browser.ts';
import { paymentLink, startBuyerServer } from '../support/apis/buyer-api.ts';
import { allInvoiceStates } from '../support/invoices.ts';
import { takeScreenshot } from '../support/screenshots.ts';
import { recordEvents, startShop, type Seen, type Shop } from '../support/shop.ts';

/* The payment button on a page of another site. */

let browser: Browser;
let server: Awaited<ReturnType<typeof startBuyerServer>>;
let shop: Shop;
let page: Page;
let context: BrowserContext;
let pageErrors: string[];

beforeAll(async () => {
  [browser, server] = await Promise.all([connectBrowser(), startBuyerServer()]);
  server.links.set('tok_mug', paymentLink({ title: 'Mug' }));
  const script = `<script src="${server.url}/embed.js" defer></script>`;
  shop = await startShop(
    server.url,
    `<main><h1>Shop</h1><p><a id="before" href="#">Before</a></p>
    <p><a id="board" href="${server.url}/l/tok_board" data-paywatch>Board <b>now</b></a></p>
    <p><a id="mug" href="${server.url}/l/tok_mug?lang=de" data-paywatch>Mug</a></p>
    <p><a id="elsewhere" href="http://127.0.0.2/l/tok_board" data-paywatch>Elsewhere</a></p>
    <p><a id="account" href="${server.url}/account" data-paywatch>Account</a></p>
    <p><a id="after" href="#">After</a></p></main>${script}${script}`,
  );
});
afterAll(() => Promise.all([browser.close(), server.close(), shop.close()]));
beforeEach(async () => {
  server.buyer.bought.length = 0;
  server.buyer.sites = [shop.origin];
  ({ page, context, pageErrors } = await openPage(browser, { viewport: { width: 390, height: 844 } }));
  await recordEvents(context);
  await page.goto(shop.origin);
});
afterEach(async () => {
  await context.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

const dialog = () => page.locator('dialog');
const framed = () => page.frameLocator('iframe');
const inFrame = (testId: string) => framed().locator(`[data-testid="${testId}"]`);
const seen = () => page.evaluate(() => (window as unknown as { seen: Seen }).seen);
const eventTypes = async () => (await seen()).events.map(({ type, at }) => `${type} ${at}`);
const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.localName);

function payFrame(): Frame {
  const frame = page.frames().find((candidate) => candidate.url().includes('/pay/'));
  if (frame === undefined) throw new Error('no payment page is framed');
  return frame;
}

async function openBoard(): Promise<void> {
  await page.locator('#board').click();
  await inFrame('buy-form').waitFor();
}

async function buy(): Promise<void> {
  await openBoard();
  await inFrame('buy-submit').click();
  await inFrame('pay').waitFor();
  await expect.poll(eventTypes).toContain('status board');
}

const become = (name: string) => {
  const bought = server.invoices.get('inv_B');
  const { public_id: publicId = 'inv_B' } = bought ?? {};
  const state = allInvoiceStates(Date.now())[name];
  if (state === undefined) throw new Error(`no state ${name}`);
  server.put({ ...state, public_id: publicId });
};

describe('the payment button', () => {
  it('opens the link in a modal, in which the buyer pays, and informs the page', async () => {
    await buy();
    become('pending');
    await framed().locator('[data-stage=seen]').first().waitFor();
    become('confirmed');
    await framed().locator('[data-stage=paid]').first().waitFor();
    await expect.poll(eventTypes).toContain('paid board');
    await dialog().getByRole('button', { name: 'Close' }).click();
    // The browser reports the close in a later task.
    await expect.poll(eventTypes).toContain('closed board');
    expect(await eventTypes()).toEqual([
      'opened board',
      'status board',
      'status board',
      'status board',
      'paid board',
      'closed board',
    ]);
    const { events, messages } = await seen();
    expect(events.map(({ detail }) => detail)).toEqual([
      { publicId: null, status: null },
      { publicId: 'inv_B', status: 'new' },
      { publicId: 'inv_B', status: 'pending' },
      { publicId: 'inv_B', status: 'confirmed' },
      { publicId: 'inv_B', status: 'confirmed' },
      { publicId: 'inv_B', status: 'confirmed' },
    ]);
    // Nothing else leaves the frame.
    const fields = new Set(messages.flatMap((message) => Object.keys(message as object)));
    expect([...fields].toSorted()).toEqual(['public_id', 'status', 'type']);
    expect(page.url()).toBe(`${shop.origin}/`);
  });

  it('works with the keyboard: focus stays inside, Escape closes in the frame and around it, focus returns', async () => {
    await page.locator('#board').focus();
    await page.keyboard.press('Enter');
    await inFrame('buy-form').waitFor();
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press('Tab');
      expect(['div', 'body']).toContain(await focused());
    }
    await inFrame('buy-submit').focus();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await focused()).toBe('board');
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await focused()).toBe('board');
    expect(await eventTypes()).toEqual(['opened board', 'closed board', 'opened board', 'closed board']);
  });

  it('keeps an open invoice when the modal is closed, and reports its payment', async () => {
    await buy();
    await page.mouse.click(2, 2);
    await dialog().getByRole('button', { name: 'Close' }).click();
    await dialog().waitFor({ state: 'hidden' });
    become('confirmed');
    await expect.poll(eventTypes).toContain('paid board');
    await page.locator('#board').click();
    await framed().locator('[data-stage=paid]').first().waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    await dialog().waitFor({ state: 'detached' });
    await openBoard();
    expect(server.buyer.bought).toHaveLength(1);
  });

  it('opens each of two buttons in its language, each in one modal though the script is loaded twice', async () => {
    await openBoard();
    expect(await framed().locator('h1').innerText()).toContain('Simultaneous display');
    expect(await page.locator('dialog').count()).toBe(1);
    await dialog().getByRole('button', { name: 'Close' }).click();
    await page.locator('#mug').click();
    await dialog().getByRole('button', { name: 'Schließen' }).waitFor();
    expect(await framed().locator('h1').innerText()).toBe('Mug');
    expect(await inFrame('buy-submit').innerText()).toBe('Weiter zur Zahlung');
    expect(await page.locator('dialog').count()).toBe(1);
    expect(await eventTypes()).toEqual(['opened board', 'closed board', 'opened mug']);
  });

  it('ignores messages of the page itself, of other frames, and malformed ones of its own', async () => {
    await buy();
    const forged = { type: 'paywatch:paid', public_id: 'inv_B', status: 'confirmed' };
    await page.evaluate((message) => postMessage(message, '*'), forged);
    // A page of the payment server in a frame that the button did not open.
    await page.evaluate((src) => {
      const frame = document.createElement('iframe');
      document.body.append(Object.assign(frame, { src, id: 'other' }));
    }, `${server.url}/l/tok_mug`);
    await page.frameLocator('#other').locator('[data-testid=buy-form]').waitFor();
    const other = page.frames().find((candidate) => candidate.url().endsWith('/l/tok_mug'));
    await other?.evaluate((message) => parent.postMessage(message, '*'), forged);
    await other?.evaluate(() => parent.postMessage({ type: 'paywatch:close' }, '*'));
    for (const data of [null, 'paywatch:paid', 7, [], { type: 'paywatch:paid' }, { ...forged, status: {} }])
      await payFrame().evaluate((message) => parent.postMessage(message, '*'), data);
    await expect.poll(async () => (await seen()).messages.filter((data) => data === 7)).toHaveLength(1);
    await payFrame().evaluate(() => parent.postMessage({ last: true }, '*'));
    await expect.poll(async () => JSON.stringify((await seen()).messages)).toContain('"last":true');
    expect(await eventTypes()).toEqual(['opened board', 'status board']);
    expect(await dialog().isVisible()).toBe(true);
  });

  it('sends messages to the framing page only, though the project has more sites', async () => {
    server.buyer.sites = ['https://other.example', shop.origin];
    await buy();
    const sent = await payFrame().evaluate(() => document.getElementById('page')?.dataset['sites']);
    expect(sent).toBe(`https://other.example ${shop.origin}`);
    // The browser would report a message to an origin that the page does not have.
    expect(pageErrors).toEqual([]);
  });

  it('leaves to the browser what asks for more than to follow the link, and links to other pages', async () => {
    await page.evaluate(() =>
      addEventListener('click', (event) => {
        document.title += event.defaultPrevented ? ' taken' : ' left';
        event.preventDefault();
      }),
    );
    for (const modifier of ['Control', 'Meta', 'Shift', 'Alt'] as const)
      await page.locator('#board').click({ modifiers: [modifier] });
    await page.locator('#account').click();
    await page.locator('#elsewhere').click();
    expect(await page.title()).toBe(`Shop${' left'.repeat(6)}`);
    expect(await page.locator('dialog').count()).toBe(0);
  });

  it('leaves a click that the page handles to the page', async () => {
    await page.evaluate(() => {
      document.querySelector('#board')?.addEventListener('click', (event) => event.preventDefault());
    });
    await page.locator('#board').click();
    expect(await page.locator('dialog').count()).toBe(0);
    expect(await eventTypes()).toEqual([]);
  });

  it('is a link without JavaScript', async () => {
    const plain = await openPage(browser, { javaScriptEnabled: false });
    await plain.page.goto(shop.origin);
    await plain.page.locator('#board').click();
    await plain.page.locator('[data-testid=buy-form]').waitFor();
    expect(plain.page.url()).toBe(`${server.url}/l/tok_board`);
    await plain.context.close();
  });

  it('shows the link to a tab of its own where the site is not listed and the browser refuses the frame', async () => {
    server.buyer.sites = ['https://other.example'];
    const refused = page.waitForEvent('console', (line) => line.text().includes('frame-ancestors'));
    await page.locator('#board').click();
    await refused;
    expect(await framed().locator('[data-testid=buy-form]').count()).toBe(0);
    const opened = context.waitForEvent('page');
    await dialog().getByRole('link', { name: 'Open in a new tab' }).click();
    await (await opened).locator('[data-testid=buy-form]').waitFor();
    expect(pageErrors.splice(0).filter((text) => !text.includes('frame-ancestors'))).toEqual([]);
  });

  it.each([
    ['phone', { width: 390, height: 844 }],
    ['desktop', { width: 1280, height: 800 }],
  ])('fits a %s: full screen on a phone, a card on a desktop; accessible', async (name, size) => {
    await page.setViewportSize(size);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openBoard();
    const box = await dialog().boundingBox();
    expect(box).toEqual(
      name === 'phone' ? { x: 0, y: 0, ...size } : { x: 400, y: 16, width: 480, height: 768 },
    );
    expect(await dialog().evaluate((element) => element.getAnimations().length)).toBe(0);
    expect(await dialog().getAttribute('aria-label')).toBe('Payment');
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await takeScreenshot(page, `embed-link-${name}`);
    await inFrame('buy-submit').click();
    await inFrame('pay').waitFor();
    await takeScreenshot(page, `embed-pay-${name}`);
  });
});
