import { OVERLAY_THEMES } from '@paywatch/domain/overlay';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { coinsText, percentOf, unitText } from '../../src/overlay/sources/amount-text.ts';
import { connectBrowser, findAccessibilityViolations, openPage } from '../support/browser.ts';
import { startOverlayServer } from '../support/apis/overlay-api.ts';
import { takeScreenshot } from '../support/screenshots.ts';

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

const goal = { title: 'New camera', unit: 'EUR', target: '500.00', reached: '123.45' };
const counter = { btc: '5230000', ltc: '250000000', donations: 1128, since: '2026-11-01' };
const donor = (name: string, btc: string, ltc = '0') => ({ donor_name: name, btc, ltc });
const donors = [
  donor('Grace', '5000000', '150000000'),
  donor('W'.repeat(50), '20000', '2099999999999999'),
  ...Array.from({ length: 8 }, (_, place) => donor(`Donor ${place + 3}`, String(90_000 - place))),
];
const top = { day: donors.slice(0, 1), week: donors.slice(0, 3), month: donors, all: donors };

async function open(query: string): Promise<void> {
  await page.goto(`${server.url}/overlay/tok_overlay?${query}`);
  while (server.open.size === 0) await page.waitForTimeout(20);
}
/** What is read, as one line; no-break spaces stay. */
const text = async () => (await page.locator('#page').innerText()).replace(/[\n ]+/g, ' ');
const names = () => page.locator('.top bdi').allInnerTexts();

/** Theme and position of the page. */
const look = async () => {
  const stage = page.locator('#page');
  return [await stage.getAttribute('data-theme'), await stage.getAttribute('data-position')];
};
const bar = () => page.getByRole('progressbar');

describe('the goal bar', () => {
  it('shows how far the goal is reached, and follows each donation', async () => {
    server.summarize({ goal });
    await open('source=goal');
    await expect.poll(text).toBe('New camera €123.45 of €500.00 24%');
    expect(await bar().getAttribute('aria-valuenow')).toBe('24');
    server.summarize({ goal: { ...goal, reached: '750.00' } });
    await expect.poll(text).toContain('€750.00 of €500.00 150%');
    expect(await bar().getAttribute('aria-valuenow')).toBe('100');
    expect(await bar().getAttribute('aria-label')).toBe('New camera');
  });

  it('grows from where it was, unless the viewer wants no motion', async () => {
    server.summarize({ goal });
    await open('source=goal');
    await expect.poll(text).toContain('24%');
    await page.evaluate(() =>
      addEventListener('transitionend', ({ propertyName }) => (document.title = `moved ${propertyName}`)),
    );
    server.summarize({ goal: { ...goal, reached: '250.00' } });
    await expect.poll(() => page.title()).toBe('moved width');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const fill = page.locator('.goal__fill');
    expect(await fill.evaluate((part) => getComputedStyle(part).transitionDuration)).toBe('0s');
  });

  it('is empty while there is no goal, and shows the target alone while a rate is unknown', async () => {
    await open('source=goal');
    server.summarize({ goal: { ...goal, reached: null } });
    await expect.poll(text).toBe('New camera €500.00');
    server.summarize({ goal: null });
    await expect.poll(() => page.locator('#page').isVisible()).toBe(false);
    expect(await page.locator('#page *').count()).toBe(0);
  });

  it('is German for a German viewer, and counts in coins', async () => {
    server.summarize({ goal: { title: '', unit: 'BTC', target: '0.50000000', reached: '0.12500000' } });
    await open('source=goal&lang=de');
    await expect.poll(text).toBe('Ziel 0.125\u00a0BTC von 0.5\u00a0BTC 25%');
    expect(await page.title()).toBe('Spendenziel');
  });

  it('shows a title of the owner as text', async () => {
    server.summarize({ goal: { ...goal, title: '<img src=x>' } });
    await open('source=goal');
    await expect.poll(text).toContain('<img src=x>');
    expect(await page.locator('#page img').count()).toBe(0);
  });
});

describe('the top donors', () => {
  it('are those of the period that the address names', async () => {
    server.summarize({ top });
    await page.setViewportSize({ width: 800, height: 900 });
    for (const [query, title, count] of [
      ['&period=day', 'Top donors today', 1],
      ['&period=week', 'Top donors this week', 3],
      ['&period=month', 'Top donors this month', 10],
      ['', 'Top donors', 10],
      ['&period=x', 'Top donors', 10],
    ] as const) {
      await open(`source=top${query}`);
      await expect.poll(async () => (await names()).length).toBe(count);
      expect(await page.locator('h1').innerText()).toBe(title);
    }
    expect(await text()).toContain('Grace 0.05\u00a0BTC + 1.5\u00a0LTC');
  });

  it('are as many whole lines as there is room for', async () => {
    server.summarize({ top });
    await open('source=top');
    await expect.poll(async () => (await names()).length).toBeGreaterThan(2);
    expect((await names()).length).toBeLessThan(10);
    const bottom = await page
      .locator('.top li')
      .evaluateAll((lines) => Math.max(...lines.map((line) => line.getBoundingClientRect().bottom)));
    expect(bottom).toBeLessThanOrEqual(300);
    await page.setViewportSize({ width: 800, height: 900 });
    await expect.poll(async () => (await names()).length).toBe(10);
  });

  it('never contain markup of donors, and leave the list when they are not in it any more', async () => {
    server.summarize({ top: { ...top, all: [donor('<b>x</b>', '1')] } });
    await open('source=top');
    await expect.poll(names).toEqual(['<b>x</b>']);
    server.summarize({ top: { day: [], week: [], month: [], all: [] } });
    await expect.poll(() => page.locator('#page').isVisible()).toBe(false);
  });
});

describe('the counter', () => {
  it('shows donations, their sums and since when', async () => {
    await open('source=counter');
    await expect.poll(text).toBe('0 donations');
    server.summarize({ counter });
    await expect.poll(text).toBe('1,128 donations 0.0523\u00a0BTC + 2.5\u00a0LTC since Nov 1, 2026');
    server.summarize({ counter: { btc: '1', ltc: '0', donations: 1, since: null } });
    await expect.poll(text).toBe('1 donation 0.00000001\u00a0BTC');
  });
});

describe('every source of sums', () => {
  it('resumes with its version after a lost connection, and shows the truth', async () => {
    server.summarize({ counter });
    await open('source=counter');
    await expect.poll(text).toContain('1,128');
    server.drop();
    server.summarize({ counter: { ...counter, donations: 2000 } });
    await expect.poll(text).toContain('2,000');
    expect(server.overlay.resumed).toEqual([null, '1']);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  it('connects again after it was refused', async () => {
    server.overlay.isRefusing = true;
    await page.clock.install();
    await page.goto(`${server.url}/overlay/tok_overlay?source=counter`);
    while (server.overlay.connections === 0) await page.waitForTimeout(20);
    server.overlay.isRefusing = false;
    server.summarize({ counter });
    await expect
      .poll(async () => {
        await page.clock.runFor(4000);
        return text();
      })
      .toContain('1,128');
  });

  it('sends one request for its sums, however many donations there are', async () => {
    await open('source=counter');
    for (let donations = 1; donations <= 50; donations += 1)
      server.summarize({ counter: { ...counter, donations } });
    await expect.poll(text).toContain('50 donations');
    expect(server.overlay.connections).toBe(1);
  });

  it('follows changed colors and positions of the settings', async () => {
    server.summarize({ counter });
    await open('source=counter');
    server.change({ theme: 'light', position: 'bottom-right' });
    await expect.poll(look).toEqual(['light', 'bottom-right']);
    await open('source=counter&theme=dark');
    await expect.poll(look).toEqual(['dark', 'bottom-right']);
  });
});

const SIZES = [
  { width: 390, height: 300 },
  { width: 800, height: 300 },
  { width: 1920, height: 1080 },
];
const STATES = [
  ['goal', { goal }],
  ['goal-reached', { goal: { ...goal, title: 'W'.repeat(60), target: '100.00' } }],
  ['goal-unknown', { goal: { ...goal, reached: null } }],
  ['top', { top }],
  ['counter', { counter }],
  ['counter-empty', {}],
] as const;

describe.each(OVERLAY_THEMES)('in %s', (theme) => {
  it.each(STATES)('%s is accessible, transparent around and whole at every size', async (name, summary) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    server.change({ theme, position: 'top-left' });
    server.summarize(summary);
    await open(`source=${name.split('-')[0]}`);
    await page.locator('.source').waitFor();
    const grounds = await page.evaluate(() =>
      [document.documentElement, document.body, document.querySelector('#page')!].map(
        (part) => getComputedStyle(part).backgroundColor,
      ),
    );
    expect(new Set(grounds)).toEqual(new Set(['rgba(0, 0, 0, 0)']));
    // Like a video behind it.
    await page.evaluate(() => {
      document.documentElement.style.background = 'linear-gradient(135deg, #5a7d9a, #2c4a3e)';
    });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expect.poll(() => page.evaluate(outside)).toEqual([]);
      await takeScreenshot(page, `source-${name}-${theme}-${size.width}`);
    }
    expect(await findAccessibilityViolations(page)).toEqual([]);
  });
});

/** The parts of the source that are not wholly inside the window. */
function outside(): string[] {
  return [...document.querySelectorAll('.source, .source *')]
    .map((part) => ({ part, box: part.getBoundingClientRect() }))
    .filter(({ box }) => box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight)
    .map(({ part, box }) => `${part.className} ${JSON.stringify(box)}`);
}

test.each([
  ['0.00', '500.00', 0],
  ['499.99', '500.00', 99],
  ['500.00', '500.00', 100],
  ['0.00000001', '20999999.99999999', 0],
  ['1250.00', '500.00', 250],
])('%s of %s is %i percent', (reached, target, percent) => {
  expect(percentOf(reached, target)).toBe(percent);
});

test('amounts are written in their unit', () => {
  expect(unitText('1234.50', 'EUR', 'en')).toBe('€1,234.50');
  expect(unitText('500', 'JPY', 'en')).toBe('¥500');
  expect(unitText('0.00012000', 'BTC', 'de')).toBe('0.00012\u00a0BTC');
  expect(coinsText({ btc: '0', ltc: '7' })).toBe('0.00000007\u00a0LTC');
});
