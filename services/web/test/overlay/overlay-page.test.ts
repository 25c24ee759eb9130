import { printFigures } from '@paywatch/dev/commands';
import { sampleGif, sampleWav } from '@paywatch/dev/testing';
import { OVERLAY_IMAGES, OVERLAY_SOUNDS, OVERLAY_TEMPLATES, OVERLAY_THEMES } from '@paywatch/domain/overlay';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { constants, inflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findAccessibilityViolations, connectBrowser, openPage, TIGHT_SIZES } from '../support/browser.ts';
import { donation, startOverlayServer } from '../support/apis/overlay-api.ts';
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
  ({ page, context, pageErrors } = await openPage(browser, { viewport: { width: 800, height: 600 } }));
  await page.addInitScript(recordAlerts);
});
afterEach(async () => {
  await context.close();
  await server.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

async function open(query = 'duration=1'): Promise<void> {
  await page.goto(`${server.url}/overlay/tok_overlay?${query}`);
  await connected(1);
}
/** Waits until at least `count` streams are open. */
const connected = async (count: number) => {
  while (server.open.size < count) await page.waitForTimeout(20);
};
/** Closes every stream and refuses connections; resolves after the first refusal. */
async function refused(): Promise<void> {
  const before = server.overlay.connections;
  server.overlay.isRefusing = true;
  server.drop();
  while (server.overlay.connections === before) await page.waitForTimeout(20);
}

/** Records every alert in the document with an observer, since polling could miss one. */
function recordAlerts(): void {
  const seen: string[] = [];
  Object.assign(globalThis, { seen });
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (!(target instanceof HTMLElement) || target.dataset['testid'] !== 'alert') continue;
      seen.push(target.dataset['shown'] === 'true' ? target.innerText : '');
    }
  }).observe(document, { subtree: true, attributeFilter: ['data-shown'] });
}
declare const seen: string[];

/** Waits until this document has shown an alert that contains the text. */
const shown = (words: string) =>
  page.waitForFunction((wanted) => seen.some((text) => text.includes(wanted)), words);
/** Waits until `count` alerts were shown and the last one is hidden. */
const gone = (count: number) =>
  page.waitForFunction(
    (wanted) => seen.filter((text) => text !== '').length >= wanted && seen.at(-1) === '',
    count,
  );
/** The alerts that this document has shown, in order. */
const alerts = () => page.evaluate(() => seen.filter((text) => text !== ''));

/** Records the motions of alerts: `true` for one of an alert that is shown, `false` for one that leaves. */
async function recordMotions(): Promise<() => Promise<string[]>> {
  const motions = await page.evaluateHandle(() => {
    const found: string[] = [];
    const record = ({ target }: Event) => {
      if (target instanceof HTMLElement)
        found.push(String(target.closest<HTMLElement>('.alert')?.dataset['shown']));
    };
    for (const type of ['transitionrun', 'animationstart']) document.addEventListener(type, record);
    return found;
  });
  return () => motions.jsonValue();
}

/** The top left pixel of a PNG with 8-bit RGBA (PNG 1.2, 4.1 and 6). */
function firstPixel(png: Buffer): { alpha: number } {
  const [bits, colourType] = png.subarray(24, 26);
  if (bits !== 8 || colourType !== 6) return { alpha: 255 };
  const begin = png.indexOf('IDAT');
  const data = png.subarray(begin + 4, begin + 4 + png.readUInt32BE(begin - 4));
  // The first byte of a row is its filter; no filter changes the first pixel of the first row.
  const row = inflateSync(data, { finishFlush: constants.Z_SYNC_FLUSH });
  return { alpha: row.readUInt8(4) };
}

/** A tier for each design; donations below the first have none. */
const EVERY_DESIGN = OVERLAY_TEMPLATES.map((template, index) => ({
  min_amount_btc: String((index + 1) * 1000),
  min_amount_ltc: '0',
  template,
  image: OVERLAY_IMAGES[index] ?? 'none',
  image_upload: null,
  sound: OVERLAY_SOUNDS[index] ?? 'chime',
  sound_upload: null,
  duration_seconds: 1,
}));

/** A donation of each tier in turn. */
const donationOfTier = (index: number) =>
  donation({
    donor_name: `Donor ${index}`,
    amount: String(500 + 1000 * (index % (EVERY_DESIGN.length + 1))),
  });

/** The fake clock retains some memory; a leak of 100 bytes per alert would exceed this. */
const HEAP_GROWTH_BYTES = 100_000;

/** The size of the page after a garbage collection. */
async function sizeOf(
  measured: Page,
): Promise<Record<'Nodes' | 'JSEventListeners' | 'JSHeapUsedSize', number>> {
  const session = await measured.context().newCDPSession(measured);
  await measured.evaluate(() => (seen.length = 0));
  await session.send('Performance.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const valueOf = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return {
    Nodes: valueOf('Nodes'),
    JSEventListeners: valueOf('JSEventListeners'),
    JSHeapUsedSize: valueOf('JSHeapUsedSize'),
  };
}

/** The parts of the alert that are not wholly inside the window. */
function outside(): string[] {
  const parts = document.querySelectorAll('[data-testid=alert], [data-testid=alert] *:not([hidden])');
  return [...parts]
    .map((part) => ({ part, box: part.getBoundingClientRect() }))
    .filter(({ box }) => box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight)
    .map(({ part, box }) => `${part.className} ${JSON.stringify(box)}`);
}

describe('the overlay', () => {
  it('is empty and transparent before and after an alert', async () => {
    await open();
    const ground = () =>
      page.evaluate(() =>
        [document.documentElement, document.body].map((part) => getComputedStyle(part).backgroundColor),
      );
    expect(await ground()).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
    expect(firstPixel(await page.screenshot({ omitBackground: true })).alpha).toBe(0);
    expect(await page.locator('[data-testid=alert]').isVisible()).toBe(false);
    server.push(donation());
    await gone(1);
    expect(await alerts()).toEqual(['Grace 0.0005\u00a0BTC\n\nBeautiful endgame!']);
    await page.locator('[data-testid=alert]').waitFor({ state: 'hidden' });
  });

  it.each([
    { theme: 'dark', position: 'top', width: 800, height: 300 },
    { theme: 'light', position: 'bottom-right', width: 800, height: 300 },
    { theme: 'plain', position: 'center', width: 800, height: 300 },
    { theme: 'plain', position: 'top', width: 800, height: 300 },
    { theme: 'plain', position: 'bottom', width: 320, height: 240 },
    { theme: 'plain', position: 'center', width: 320, height: 700 },
    { theme: 'plain', position: 'top', width: 390, height: 700 },
  ])('shows the longest alert whole: $theme, $position, $width×$height', async (shape) => {
    const { theme, position, width, height } = shape;
    await page.setViewportSize({ width, height });
    await open(`duration=60&theme=${theme}&position=${position}`);
    server.push(
      donation({
        donor_name: 'W'.repeat(50),
        donor_message: '我们都喜欢这个频道'.repeat(23).slice(0, 200),
        amount: '2099999999999999',
        test: true,
      }),
    );
    await page.locator('[data-testid=alert][data-shown=true]').waitFor();
    // Where the entry ends, not where it begins.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await takeScreenshot(page, `overlay-long-${theme}-${position}-${width}`);
    expect(await page.evaluate(outside)).toEqual([]);
  });

  it.each(TIGHT_SIZES)('calls a donor without a name Anonymous: $width × $height', async (size) => {
    await page.setViewportSize(size);
    await open('duration=60&theme=plain');
    server.push(donation({ donor_name: null }));
    await shown('Anonymous');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await page.evaluate(outside)).toEqual([]);
  });

  it.each(TIGHT_SIZES)('of an unknown token says so in the window: $width × $height', async (size) => {
    await page.setViewportSize(size);
    const response = await page.goto(`${server.url}/overlay/tok_unknown`);
    expect(response?.status()).toBe(404);
    const problem = page.locator('[data-testid=problem]');
    expect(await problem.innerText()).toContain('Page not found');
    const { left, right, bottom } = await problem.evaluate((card) => card.getBoundingClientRect());
    expect([left >= 0, right <= size.width, bottom <= size.height]).toEqual([true, true, true]);
    await takeScreenshot(page, `overlay-unknown-${size.width}`);
  });

  it('shows a short alert in large text', async () => {
    await page.setViewportSize({ width: 800, height: 300 });
    await open('duration=60');
    server.push(donation());
    const alert = page.locator('[data-testid=alert][data-shown=true]');
    await alert.waitFor();
    const head = alert.locator('.alert__head');
    expect(await head.evaluate((line) => getComputedStyle(line).fontSize)).toBe('32px');
  });

  it('shows one alert at a time, in order of arrival', async () => {
    await open();
    server.push(
      donation({ donor_name: 'First' }),
      donation({ donor_name: 'Second' }),
      donation({ donor_name: 'Third' }),
    );
    await gone(3);
    const names = (await alerts()).map((alert) => alert.split(' ')[0]);
    expect(names).toEqual(['First', 'Second', 'Third']);
  });

  it('resumes after a reload with the next unseen donation', async () => {
    // A duration so long that the second alert cannot start before the reload.
    await open('duration=60');
    server.push(donation({ donor_name: 'First' }), donation({ donor_name: 'Second' }));
    await shown('First');
    await page.goto(page.url().replace('duration=60', 'duration=1'));
    server.push(donation({ donor_name: 'Third' }));
    await gone(2);
    await page.waitForTimeout(700);
    const names = (await alerts()).map((alert) => alert.split(' ')[0]);
    expect(names).toEqual(['Second', 'Third']);
  });

  it('neither loses nor repeats a donation when its stream is interrupted', async () => {
    await open();
    server.push(donation({ donor_name: 'Before' }));
    await shown('Before');
    server.drop();
    server.push(donation({ donor_name: 'Meanwhile' }));
    await gone(2);
    const names = (await alerts()).map((alert) => alert.split(' ')[0]);
    expect(names).toEqual(['Before', 'Meanwhile']);
    // One for the start position, one for the stream, one reconnect.
    expect(server.overlay.connections).toBe(3);
  });

  it('shows donations that arrived while the device was offline', async () => {
    await open();
    server.push(donation({ donor_name: 'Before' }));
    await gone(1);
    await context.setOffline(true);
    await page.waitForFunction(() => !navigator.onLine);
    server.drop();
    server.push(donation({ donor_name: 'Meanwhile' }));
    await context.setOffline(false);
    await gone(2);
    const names = (await alerts()).map((alert) => alert.split(' ')[0]);
    expect(names).toEqual(['Before', 'Meanwhile']);
  });

  it('reconnects after an error response, after which EventSource gives up', async () => {
    await open();
    server.push(donation({ donor_name: 'Before' }));
    await shown('Before');
    await refused();
    server.overlay.isRefusing = false;
    server.push(donation({ donor_name: 'After' }));
    await shown('After');
    expect(await alerts()).toHaveLength(2);
  });

  it('does not miss the first donation while its stream is refused', async () => {
    await open();
    await page.waitForFunction(() => localStorage.getItem('paywatch.overlay.tok_overlay') !== null);
    await refused();
    server.push(donation({ donor_name: 'First' }));
    server.overlay.isRefusing = false;
    await shown('First');
    expect(await alerts()).toHaveLength(1);
  });

  it('never renders donor text as markup', async () => {
    await open();
    server.push(
      donation({ donor_name: '<img src=x onerror=alert(1)>', donor_message: '<script>alert(2)</script>' }),
    );
    await shown('onerror');
    expect(await page.locator('#page img:not(.alert__image), #page script').count()).toBe(0);
    expect((await alerts()).join()).toContain('<script>alert(2)</script>');
  });

  it('shows Anonymous for a missing name, applies the URL settings, and marks test alerts', async () => {
    await open('duration=1&showMessage=0&minAmount=0.001');
    server.push(
      donation({ amount: '99999', donor_name: 'Small' }),
      donation({ donor_name: null, test: true }),
    );
    await shown('Anonymous');
    expect(await alerts()).toEqual(['TEST\n\nAnonymous 0.0005\u00a0BTC']);
  });

  it('does not grow in nodes, listeners or heap over a thousand alerts of every tier and design', async () => {
    await page.clock.install();
    server.change({ tiers: EVERY_DESIGN, volume: 50, duration_seconds: 1 });
    await open('');
    const position = () => page.evaluate(() => localStorage.getItem('paywatch.overlay.tok_overlay'));
    let sent = 0;
    const showThousand = async () => {
      for (const end = sent + 1000; sent < end;) {
        server.push(...Array.from({ length: 100 }, (_, index) => donationOfTier(index)));
        sent += 100;
        while ((await position()) !== String(sent)) {
          await page.clock.runFor(30 * 1500);
          // The fake clock does not advance the network: give the stream real time.
          await page.waitForTimeout(20);
        }
      }
      await page.clock.runFor(10_000);
    };
    // The first thousand warm up the engine; a leak would also show in the second thousand.
    await showThousand();
    const before = await sizeOf(page);
    await showThousand();
    expect(await position()).toBe('2000');
    expect(await page.evaluate(() => localStorage.length)).toBe(1);
    const after = await sizeOf(page);
    const grown = after.JSHeapUsedSize - before.JSHeapUsedSize;
    printFigures([
      { name: 'overlay: nodes after 2,000 alerts', value: after.Nodes, reach: { atMost: before.Nodes } },
      {
        name: 'overlay: bytes grown by the second 1,000',
        value: grown,
        reach: { atMost: HEAP_GROWTH_BYTES },
      },
    ]);
    expect(after.Nodes).toBeLessThanOrEqual(before.Nodes);
    expect(after.JSEventListeners).toBeLessThanOrEqual(before.JSEventListeners);
    expect(grown).toBeLessThan(HEAP_GROWTH_BYTES);
  });

  /** A new overlay connects for its position, and for the stream. */
  const START_AND_STREAM = 2;

  it('handles a flood of donations in batches, without loss or repetition', async () => {
    await page.clock.install();
    await open('duration=1');
    // The first connection only gets the position.
    while (server.including.size === 0) await page.waitForTimeout(20);
    const sent = Array.from({ length: 450 }, (_, index) => `Donor ${index}`);
    server.push(...sent.map((name) => donation({ donor_name: name, donor_message: null })));
    expect(server.overlay.connections).toBe(START_AND_STREAM);
    while ((await alerts()).length < 450) {
      await page.clock.runFor(30 * 1500);
      // The fake clock does not advance the network: give the stream real time.
      await page.waitForTimeout(20);
    }
    expect(await alerts()).toEqual(sent.map((name) => expect.stringContaining(`${name} `)));
    // The queue reached the high watermark, so the rest was requested again.
    expect(server.overlay.connections).toBeGreaterThan(START_AND_STREAM);
    expect(server.overlay.connections).toBeLessThan(6);
  });

  it('applies a change of the settings to the alert that is shown, without a reload', async () => {
    server.change({ position: 'bottom', duration_seconds: 60 });
    await open('');
    server.push(donation());
    await shown('Grace');
    await page.locator('[data-template=card][data-theme=dark][data-position=bottom]').waitFor();
    server.change({ template: 'plain', theme: 'light', show_message: false });
    await page.locator('[data-template=plain][data-theme=light]').waitFor();
    expect(await page.locator('.alert__message').isVisible()).toBe(false);
    server.change({ show_message: true });
    await page.locator('.alert__message').waitFor();
    expect(await alerts()).toHaveLength(1);
  });

  it('keeps the position while settings arrive, and prefers the parameters of its URL', async () => {
    await open('duration=1&theme=light');
    server.push(donation({ donor_name: 'First' }));
    await gone(1);
    server.change({ theme: 'dark', template: 'plain' });
    await page.locator('[data-template=plain][data-theme=light]').waitFor({ state: 'attached' });
    server.drop();
    server.push(donation({ donor_name: 'Second' }));
    await gone(2);
    expect((await alerts()).map((alert) => alert.split(' ')[0])).toEqual(['First', 'Second']);
  });

  it('stores no position in a preview', async () => {
    await open('duration=1&preview=1');
    server.push(donation());
    await shown('Grace');
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });
});

const SIZES = [
  { width: 800, height: 300 },
  { width: 1920, height: 1080 },
  { width: 390, height: 300 },
  { width: 320, height: 300 },
];
/** A video picture in place of the transparent ground. */
const showAboveVideo = () =>
  page.evaluate(() => {
    document.documentElement.style.background = 'linear-gradient(135deg, #5a7d9a, #2c4a3e)';
  });

declare const spoken: object[];

/** The rows of the list, newest first. */
const rows = () => page.locator('.latest').first().locator('li').allInnerTexts();
const names = async () => (await rows()).map((row) => row.split(/\s/)[0]);
const openSource = async (query: string) => {
  await page.goto(`${server.url}/overlay/tok_overlay?${query}`);
  await connected(1);
};

describe('the latest donations', () => {
  it('are the newest five, without tests and those below the minimum, also after a reload', async () => {
    server.change({ min_amount_btc: '1000' });
    server.push(...['A', 'B', 'C', 'D', 'E', 'F'].map((name) => donation({ donor_name: name })));
    await openSource('source=latest');
    await expect.poll(names).toEqual(['F', 'E', 'D', 'C', 'B']);
    server.push(
      donation({ donor_name: 'Tester', test: true }),
      donation({ donor_name: 'Small', amount: '999' }),
      donation({ donor_name: null }),
    );
    await expect.poll(names).toEqual(['Anonymous', 'F', 'E', 'D', 'C']);
    await page.reload();
    await expect.poll(names).toEqual(['Anonymous', 'F', 'E', 'D', 'C']);
    expect(server.overlay.latest).toEqual([{ include: 'latest' }, { include: 'latest' }]);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  it('resume after a lost connection, and none is listed twice', async () => {
    await openSource('source=latest');
    expect(await page.locator('#page').isVisible()).toBe(false);
    server.push(donation({ donor_name: 'Before' }));
    await expect.poll(names).toEqual(['Before']);
    server.drop();
    server.push(donation({ donor_name: 'Meanwhile' }));
    await expect.poll(names).toEqual(['Meanwhile', 'Before']);
  });

  it('are those from the minimum of the address on, whatever the settings say', async () => {
    server.change({ min_amount_btc: '60000', min_amount_ltc: '60000' });
    server.push(
      donation({ donor_name: 'A' }),
      donation({ donor_name: 'B', currency: 'LTC' }),
      ...Array.from({ length: 5 }, () => donation({ donor_name: 'Small', amount: '100' })),
    );
    await openSource('source=latest&minAmount=BTC:0.0005');
    await expect.poll(names).toEqual(['A']);
    expect(server.overlay.latest).toEqual([{ include: 'latest', min_amount_btc: '50000' }]);
  });

  it('connect again after an error response, and none is listed twice', async () => {
    server.push(donation({ donor_name: 'Before' }));
    await page.clock.install();
    await openSource('source=latest');
    await expect
      .poll(async () => {
        await page.clock.runFor(100);
        return names();
      })
      .toEqual(['Before']);
    server.overlay.isRefusing = true;
    const { connections } = server.overlay;
    server.drop();
    while (server.overlay.connections === connections) await page.waitForTimeout(20);
    server.push(donation({ donor_name: 'Meanwhile' }));
    server.overlay.isRefusing = false;
    await expect
      .poll(async () => {
        await page.clock.runFor(4000);
        return names();
      })
      .toEqual(['Meanwhile', 'Before']);
    expect(server.overlay.latest).toHaveLength(1);
  });

  it('never contain markup of donors, and follow changed colors', async () => {
    await openSource('source=ticker');
    server.push(donation({ donor_name: '<img src=x>' }));
    await expect.poll(rows).toEqual([expect.stringContaining('<img src=x>')]);
    expect(await page.locator('#page img').count()).toBe(0);
    server.change({ theme: 'light' });
    await page.locator('#page[data-theme=light]').waitFor();
  });

  it.each(['latest', 'ticker'].flatMap((source) => OVERLAY_THEMES.map((theme) => ({ source, theme }))))(
    'are accessible and whole at every size: $source, $theme',
    async ({ source, theme }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      server.change({ theme, position: 'bottom-left' });
      server.push(
        donation({ donor_name: 'Grace' }),
        donation({ donor_name: 'W'.repeat(50), currency: 'LTC', amount: '2099999999999999' }),
        donation({ donor_name: 'Ada', currency: 'LTC' }),
      );
      await openSource(`source=${source}`);
      await page.locator('.latest li').nth(2).waitFor();
      await page.waitForFunction(
        () => getComputedStyle(document.querySelector('.latest')!).fontSize === '20px',
      );
      await showAboveVideo();
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await takeScreenshot(page, `overlay-${source}-${theme}-${size.width}`);
        const rightmost = await page
          .locator('.latest:first-child :is(li, b, bdi)')
          .evaluateAll((parts) => Math.max(...parts.map((part) => part.getBoundingClientRect().right)));
        expect(source === 'ticker' || rightmost <= size.width).toBe(true);
      }
      expect(await findAccessibilityViolations(page)).toEqual([]);
    },
  );
});

describe.each(OVERLAY_TEMPLATES)('the design %s', (template) => {
  it.each(OVERLAY_THEMES)('in %s is accessible, and whole at every size', async (theme) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    server.change({
      template,
      theme,
      image: 'heart',
      duration_seconds: 60,
      sentence: '{name} sent {amount}!',
    });
    await open('');
    await page.locator(`[data-template=${template}]`).waitFor({ state: 'attached' });
    server.push(donation({ currency: theme === 'dark' ? 'BTC' : 'LTC', test: theme === 'light' }));
    await shown('Grace sent 0.0005');
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    await showAboveVideo();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      // The overlay chooses the size of its text in the next frame.
      await expect.poll(() => page.evaluate(outside)).toEqual([]);
      await takeScreenshot(page, `overlay-${template}-${theme}-${size.width}`);
    }
    expect(await findAccessibilityViolations(page)).toEqual([]);
  });

  it('shows the longest alert whole', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 800, height: 300 });
    server.change({ template, image: 'rocket', duration_seconds: 60, position: 'bottom' });
    await open('');
    server.push(
      donation({
        donor_name: 'W'.repeat(50),
        donor_message: 'Donaudampfschifffahrt '.repeat(9).trim(),
        amount: '2099999999999999',
      }),
    );
    await shown('WWWW');
    await page.waitForFunction(() => document.styleSheets.length >= 1);
    await takeScreenshot(page, `overlay-${template}-longest`);
    expect(await page.evaluate(outside)).toEqual([]);
  });

  it('enters and leaves with motion, unless the viewer wants none', async () => {
    server.change({ template });
    await open('duration=1');
    await page.waitForFunction(() => document.readyState === 'complete');
    const motions = await recordMotions();
    server.push(donation());
    await gone(1);
    await expect.poll(motions).toEqual(expect.arrayContaining(['true', 'false']));
    await page.emulateMedia({ reducedMotion: 'reduce' });
    // An alert that stays while it is examined, on a stream of its own.
    const before = server.overlay.connections;
    await open('duration=60');
    await expect.poll(() => server.overlay.connections).toBeGreaterThan(before);
    server.push(donation());
    await shown('Grace');
    await page.locator('[data-testid=alert][data-shown=true]').waitFor();
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  });
});

declare const played: { url: string; volume: number }[];

/** Records what is played from files, and the notes that are synthesized. */
function recordSounds(): void {
  const sounds: object[] = [];
  Object.assign(globalThis, { played: sounds });
  const play = HTMLAudioElement.prototype.play;
  HTMLAudioElement.prototype.play = function recorded() {
    const url = new URL(this.src).pathname;
    sounds.push({ url, volume: this.volume });
    this.addEventListener('canplay', () => (document.documentElement.dataset['decoded'] = url));
    return play.call(this);
  };
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function recorded(when) {
    sounds.push({ url: 'built in', volume: 1 });
    start.call(this, when);
  };
}

describe('an alert with uploads', () => {
  const gif = sampleGif({ width: 120, height: 80, frames: 3 });

  it('shows the animation and plays the sound, and fits at 800 x 300', async () => {
    const image = server.uploads.add('image', gif);
    const sound = server.uploads.add('sound', sampleWav(400));
    server.change({ image: 'coin', image_upload: image, sound_upload: sound, volume: 40 });
    await page.addInitScript(recordSounds);
    await page.setViewportSize({ width: 800, height: 300 });
    await open('duration=60');
    await showAboveVideo();
    server.push(donation());
    await shown('Grace');
    const picture = page.locator('.alert__image');
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('.alert__image')?.naturalWidth === 120,
    );
    expect(await picture.getAttribute('src')).toBe(`/v1/public/uploads/${image}`);
    expect(await page.evaluate(() => played)).toEqual([{ url: `/v1/public/uploads/${sound}`, volume: 0.4 }]);
    await page.locator(`html[data-decoded="/v1/public/uploads/${sound}"]`).waitFor();
    // An alert enters with a motion.
    await expect.poll(() => page.evaluate(outside)).toEqual([]);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await takeScreenshot(page, 'overlay-upload-800');
    server.change({ template: 'banner', theme: 'light' });
    await page.locator('[data-template=banner]').waitFor();
    await expect.poll(() => page.evaluate(outside)).toEqual([]);
    await takeScreenshot(page, 'overlay-upload-banner-800');
  });

  it('shows what the donation was worth when it was confirmed, with the animation, at 800 x 300', async () => {
    const fiat = { amount: '1234.56', currency: 'EUR' };
    server.change({ image_upload: server.uploads.add('image', gif), amounts: 'both', template: 'bubble' });
    await page.setViewportSize({ width: 800, height: 300 });
    await open('duration=60');
    await showAboveVideo();
    server.push(donation({ amount: '1500000', fiat }));
    await shown('0.015\u00a0BTC (€1,234.56)');
    // An alert enters with a motion.
    await expect.poll(() => page.evaluate(outside)).toEqual([]);
    await takeScreenshot(page, 'overlay-upload-fiat-800');
    server.change({ amounts: 'fiat' });
    await expect.poll(() => page.locator('.alert__amount').innerText()).toBe('€1,234.56');
    server.change({ amounts: 'coins' });
    await expect.poll(() => page.locator('.alert__amount').innerText()).toBe('0.015\u00a0BTC');
    expect(await findAccessibilityViolations(page)).toEqual([]);
  });

  it('falls back to what is built in when one is deleted, or cannot be loaded', async () => {
    const image = server.uploads.add('image', gif);
    server.change({ image: 'coin', image_upload: image, sound_upload: 'upl_1111111111111111', volume: 40 });
    await page.addInitScript(recordSounds);
    await open('duration=60');
    server.push(donation());
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('.alert__image')?.naturalWidth === 120,
    );
    await page.waitForFunction(() => played.some(({ url }) => url === 'built in'));
    server.change({ image_upload: null });
    await page.locator('.alert__image[src*=coin]').waitFor();
    server.change({ image_upload: 'upl_1111111111111111' });
    await page.locator('.alert__image[src*=coin]').waitFor();
    server.change({ image: 'none' });
    await page.locator('.alert__image').waitFor({ state: 'hidden' });
    expect(await alerts()).toHaveLength(1);
  });

  it('is silent at volume 0', async () => {
    const sound = server.uploads.add('sound', sampleWav(9_000));
    server.change({ sound_upload: sound, volume: 0 });
    await page.addInitScript(recordSounds);
    await open('duration=1');
    server.push(donation());
    await gone(1);
    expect(await page.evaluate(() => played)).toEqual([]);
  });
});

describe('an alert', () => {
  it('has the design, the picture and the length of the highest tier that its amount reaches', async () => {
    const tier = {
      min_amount_ltc: '0',
      sound: 'fanfare',
      image_upload: null,
      sound_upload: null,
      duration_seconds: 1,
    } as const;
    server.change({
      duration_seconds: 1,
      tiers: [
        { ...tier, min_amount_btc: '1000000', template: 'neon', image: 'rocket' },
        { ...tier, min_amount_btc: '100000', template: 'bubble', image: 'coin' },
      ],
    });
    await open('');
    for (const [amount, template, picture] of [
      ['99999', 'card', ''],
      ['100000', 'bubble', 'coin'],
      ['2000000', 'neon', 'rocket'],
    ] as const) {
      server.push(donation({ amount, donor_name: template }));
      await page.locator(`[data-template=${template}] [data-shown=true]`, { hasText: template }).waitFor();
      const image = page.locator('.alert__image');
      expect(await image.isVisible()).toBe(picture !== '');
      expect((await image.getAttribute('src')) ?? '').toContain(picture);
    }
  });

  it('reads its message aloud only if that is wanted, cut off at the limit', async () => {
    await page.addInitScript(() => {
      Object.assign(globalThis, { spoken: [] });
      speechSynthesis.speak = ({ text, lang, rate, volume }) => spoken.push({ text, lang, rate, volume });
    });
    await open('duration=1');
    server.push(donation({ donor_name: 'Silent' }));
    await gone(1);
    server.change({
      speech: true,
      speech_language: 'de',
      speech_rate: 150,
      speech_max_length: 9,
      speech_min_btc: '50000',
      volume: 50,
    });
    server.push(donation({ amount: '49999', donor_message: 'Too little' }));
    await gone(2);
    server.push(donation());
    await gone(3);
    expect(await page.evaluate(() => spoken)).toEqual([
      { text: 'Beautiful', lang: 'de', rate: 1.5, volume: 0.5 },
    ]);
  });

  it.each([
    ['dark', 'top'],
    ['light', 'bottom-left'],
    ['plain', 'center'],
  ])('in theme %s at %s passes the accessibility audit', async (theme, position) => {
    await open(`duration=60&theme=${theme}&position=${position}`);
    server.push(donation({ test: theme === 'dark', currency: theme === 'light' ? 'LTC' : 'BTC' }));
    await shown('Grace');
    await page.waitForTimeout(250);
    // OBS shows the overlay above a video picture.
    await page.evaluate(() => {
      document.documentElement.style.background = 'linear-gradient(135deg, #5a7d9a, #2c4a3e)';
    });
    await takeScreenshot(page, `overlay-${theme}-${position}`);
    expect(await findAccessibilityViolations(page)).toEqual([]);
  });
});
