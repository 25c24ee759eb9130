import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectBrowser, openPage } from '../support/browser.ts';
import { donation, startOverlayServer } from '../support/apis/overlay-api.ts';

let browser: Browser;
let server: Awaited<ReturnType<typeof startOverlayServer>>;
let page: Page;
let context: BrowserContext;
let pageErrors: string[];

beforeAll(async () => {
  browser = await connectBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  server = await startOverlayServer();
  ({ page, context, pageErrors } = await openPage(browser, { viewport: { width: 800, height: 300 } }));
});
afterEach(async () => {
  await context.close();
  await server.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

/** Long alerts: only an order ends them within a test. */
async function open(query = 'duration=60'): Promise<void> {
  await page.goto(`${server.url}/overlay/tok_overlay?${query}`);
  // The first stream only sends the position.
  while (server.including.size === 0) await page.waitForTimeout(20);
}

const alert = () => page.getByTestId('alert');
const shows = (name: string) =>
  page.locator('[data-testid=alert][data-shown=true]', { hasText: name }).waitFor();
const isHidden = () => page.locator('[data-testid=alert][data-shown=false]').waitFor({ state: 'attached' });
const donate = (name: string) => server.push(donation({ donor_name: name }));

it('ends the alert that was on the screen when it was skipped, and shows the next one', async () => {
  await open();
  donate('Ann');
  donate('Bob');
  await shows('Ann');
  server.order({ skipped_ms_ago: 0 });
  await shows('Bob');
  expect(await alert().textContent()).not.toContain('Ann');
});

it('does not end an alert that appeared after the skip, however often the orders are repeated', async () => {
  await open();
  donate('Ann');
  await shows('Ann');
  server.order({ skipped_ms_ago: 55_000 });
  server.order({ volume: 50 });
  donate('Bob');
  server.order({ volume: 60 });
  await page.waitForTimeout(700);
  expect(await alert().getAttribute('data-shown')).toBe('true');
  expect(await alert().textContent()).toContain('Ann');
});

it('lets the shown alert end and keeps the others while it is paused, also over a reload', async () => {
  await open('duration=1');
  donate('Ann');
  await shows('Ann');
  server.order({ paused: true });
  donate('Bob');
  await isHidden();
  await page.waitForTimeout(1200);
  expect(await alert().getAttribute('data-shown')).toBe('false');
  await page.reload();
  while (server.open.size === 0) await page.waitForTimeout(20);
  server.order({ paused: false });
  await shows('Bob');
});

it('gets orders even if more alerts wait than it keeps, and then shows all of them', async () => {
  server.order({ paused: true });
  await open('duration=1');
  server.push(...Array.from({ length: 450 }, (_, index) => donation({ donor_name: `Donor ${index + 1}` })));
  const position = () => page.evaluate(() => localStorage.getItem('paywatch.overlay.tok_overlay'));
  expect(await position()).toBe('0');
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(globalThis, { seen });
    const box = document.querySelector('[data-testid=alert]');
    new MutationObserver(() => seen.add(box?.textContent ?? '')).observe(box!, {
      attributeFilter: ['data-shown'],
    });
  });
  await page.clock.install();
  server.order({ paused: false });
  while ((await position()) !== '450') {
    await page.clock.fastForward(1600);
    await page.waitForTimeout(1);
  }
  const count = await page.evaluate(
    () =>
      [...(globalThis as unknown as { seen: Set<string> }).seen].filter((text) => text.includes('Donor'))
        .length,
  );
  expect(count).toBe(450);
});

it('drops the shown alert and those that wait when they are cleared, but not later ones', async () => {
  await open();
  for (const name of ['Ann', 'Bob', 'Cid']) donate(name);
  await shows('Ann');
  server.order({ cleared_to: '3' });
  await isHidden();
  donate('Dora');
  await shows('Dora');
  await page.reload();
  await page.waitForTimeout(300);
  expect(await alert().textContent()).not.toContain('Bob');
});

it('replays an alert once, also one below the minimum, and not again after a reload', async () => {
  server.order({});
  await open('duration=1&minAmount=1');
  server.order({ replays: [{ number: 4, donation: donation({ donor_name: 'Again' }) }] });
  await shows('Again');
  await isHidden();
  server.order({ volume: 90 });
  await page.reload();
  while (server.open.size === 0) await page.waitForTimeout(20);
  await page.waitForTimeout(700);
  expect(await alert().getAttribute('data-shown')).toBe('false');
  server.order({ replays: [{ number: 5, donation: donation({ donor_name: 'Twice' }) }] });
  await shows('Twice');
});

it('does not replay what was replayed before it was first opened', async () => {
  server.order({ replays: [{ number: 4, donation: donation({ donor_name: 'Old' }) }] });
  await open();
  donate('New');
  await shows('New');
  expect(await alert().textContent()).not.toContain('Old');
});

it('plays sounds at the volume of the moderators times that of the settings, and ends them when it becomes 0', async () => {
  await page.addInitScript(() => {
    const gains: number[] = [];
    const endings: number[] = [];
    Object.assign(globalThis, { gains, endings });
    const ramp = AudioParam.prototype.linearRampToValueAtTime;
    AudioParam.prototype.linearRampToValueAtTime = function (value, time) {
      gains.push(value);
      return ramp.call(this, value, time);
    };
    const close = AudioContext.prototype.close;
    AudioContext.prototype.close = function () {
      endings.push(1);
      return close.call(this);
    };
  });
  server.order({ volume: 50 });
  await open('duration=60&sound=50');
  donate('Ann');
  await shows('Ann');
  const gains = () => page.evaluate(() => (globalThis as unknown as { gains: number[] }).gains);
  expect((await gains())[0]).toBeCloseTo(0.5 * 0.5 * 0.4);
  server.order({ volume: 0 });
  await page.waitForFunction(() => (globalThis as unknown as { endings: number[] }).endings.length === 1);
  const before = (await gains()).length;
  server.order({ skipped_ms_ago: 0 });
  donate('Silent');
  await shows('Silent');
  expect(await gains()).toHaveLength(before);
});
