import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findBarriers, launchBrowser, openPage } from './support/browser.ts';
import { donation, startOverlayServer } from './support/overlay-side.ts';
import { takePicture } from './support/pictures.ts';

let browser: Browser;
let server: Awaited<ReturnType<typeof startOverlayServer>>;
let page: Page;
let context: BrowserContext;
let faults: string[];

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  server = await startOverlayServer();
  ({ page, context, faults } = await openPage(browser, { viewport: { width: 800, height: 600 } }));
});
afterEach(async () => {
  await context.close();
  await server.close();
  if (faults.length > 0) throw new Error(faults.join('\n'));
});

async function open(query = 'duration=3'): Promise<void> {
  await page.goto(`${server.url}/overlay/tok_overlay?${query}`);
  await connected(1);
}
/** Waits until so many streams are open at once. */
const connected = async (count: number) => {
  while (server.open.size < count) await page.waitForTimeout(20);
};
const shown = (words: string) =>
  page.locator('[data-testid=alert][data-shown=true]', { hasText: words }).waitFor({ timeout: 20_000 });
const hidden = () => page.locator('[data-testid=alert][data-shown=false]').waitFor({ state: 'attached' });
const text = () => page.locator('[data-testid=alert]').innerText();

describe('the overlay', () => {
  it('is empty and transparent until a donation comes, and again after it', async () => {
    await open();
    const ground = () =>
      page.evaluate(() =>
        [document.documentElement, document.body].map((part) => getComputedStyle(part).backgroundColor),
      );
    expect(await ground()).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
    expect(await page.locator('[data-testid=alert]').isVisible()).toBe(false);
    server.push(donation());
    await shown('Grace');
    expect(await text()).toBe('Grace 0.0005\u00a0BTC\n\nBeautiful endgame!');
    await hidden();
  });

  it('shows one after another, in the order in which they came', async () => {
    await open();
    server.push(
      donation({ donor_name: 'First' }),
      donation({ donor_name: 'Second' }),
      donation({ donor_name: 'Third' }),
    );
    const seen: string[] = [];
    for (const name of ['First', 'Second', 'Third']) {
      await shown(name);
      seen.push((await text()).split(' ')[0] ?? '');
      await hidden();
    }
    expect(seen).toEqual(['First', 'Second', 'Third']);
  });

  it('goes on after a reload with what was not shown yet, and repeats nothing', async () => {
    await open();
    server.push(donation({ donor_name: 'First' }), donation({ donor_name: 'Second' }));
    await shown('First');
    await page.reload();
    server.push(donation({ donor_name: 'Third' }));
    await shown('Second');
    await hidden();
    await shown('Third');
    await hidden();
    await page.waitForTimeout(700);
    expect(await page.locator('[data-testid=alert][data-shown=true]').count()).toBe(0);
  });

  it('loses and repeats none when its stream is cut off', async () => {
    await open();
    server.push(donation({ donor_name: 'Before' }));
    await shown('Before');
    server.drop();
    server.push(donation({ donor_name: 'Meanwhile' }));
    await hidden();
    await shown('Meanwhile');
    await hidden();
    expect(server.overlay.connections).toBe(2);
  });

  it('comes back by itself after an answer that makes browsers give up', async () => {
    await open();
    server.push(donation({ donor_name: 'Before' }));
    await shown('Before');
    server.overlay.isRefusing = true;
    server.drop();
    await page.waitForResponse((response) => response.status() === 503);
    server.overlay.isRefusing = false;
    server.push(donation({ donor_name: 'After' }));
    await shown('After');
    expect(await text()).toContain('After');
  });

  it('shows text of donors as text, never as markup', async () => {
    await open();
    server.push(
      donation({ donor_name: '<img src=x onerror=alert(1)>', donor_message: '<script>alert(2)</script>' }),
    );
    await shown('onerror');
    expect(await page.locator('#page img, #page script').count()).toBe(0);
    expect(await text()).toContain('<script>alert(2)</script>');
  });

  it('says somebody where a donor gave no name, hides what the address says, and marks tests', async () => {
    await open('duration=1&showMessage=0&minAmount=0.001');
    server.push(
      donation({ amount: '99999', donor_name: 'Small' }),
      donation({ donor_name: null, test: true }),
    );
    await shown('Somebody');
    expect(await text()).toBe('TEST\n\nSomebody 0.0005\u00a0BTC');
  });

  it('is the same size after a thousand alerts', async () => {
    await page.clock.install();
    await open('duration=1&sound=50');
    const size = () => page.evaluate(() => document.querySelectorAll('*').length);
    const before = await size();
    for (let sent = 0; sent < 1000; sent += 100) {
      server.push(
        ...Array.from({ length: 100 }, (_, index) => donation({ donor_name: `Donor ${sent + index}` })),
      );
      await connected(1);
      await page.waitForTimeout(50);
      await page.clock.runFor(100 * 1500);
    }
    await page.clock.runFor(10_000);
    expect(await page.evaluate(() => localStorage.getItem('paywatch.overlay.tok_overlay'))).toBe('p1000');
    expect(await size()).toBe(before);
    expect(await page.evaluate(() => localStorage.length)).toBe(1);
  });

  it('takes a flood in portions, loses none and repeats none', async () => {
    await page.clock.install();
    await open('duration=1');
    server.push(...Array.from({ length: 450 }, (_, index) => donation({ donor_name: `Donor ${index}` })));
    await page.waitForTimeout(200);
    expect(server.open.size).toBe(0);
    const seen = new Set<string>();
    for (let step = 0; step < 450; step++) {
      seen.add((await text()).split('\u00a0')[0] ?? '');
      await page.clock.runFor(1500);
      if (step % 50 === 0) await page.waitForTimeout(50);
    }
    expect(seen.size).toBe(450);
    expect(server.overlay.connections).toBeLessThan(5);
  });

  it('remembers nothing in a preview', async () => {
    await open('duration=1&preview=1');
    server.push(donation());
    await shown('Grace');
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });
});

describe('an alert', () => {
  it.each([
    ['dark', 'top'],
    ['light', 'bottom-left'],
    ['plain', 'center'],
  ])('in theme %s at %s has no barrier', async (theme, position) => {
    await open(`duration=9&theme=${theme}&position=${position}`);
    server.push(donation({ test: theme === 'dark', currency: theme === 'light' ? 'LTC' : 'BTC' }));
    await shown('Grace');
    await page.waitForTimeout(250);
    // On a stream there is a picture behind it.
    await page.evaluate(() => {
      document.documentElement.style.background = 'linear-gradient(135deg, #5a7d9a, #2c4a3e)';
    });
    await takePicture(page, `overlay-${theme}-${position}`);
    expect(await findBarriers(page)).toEqual([]);
  });
});
