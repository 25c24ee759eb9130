import { chromiumOptions } from '@paywatch/dev/testing';
import { OVERLAY_TEMPLATES, OVERLAY_THEMES } from '@paywatch/domain/overlay';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPage } from '../support/browser.ts';
import { measureCoverage, type Coverage } from '../support/measure-picture.ts';
import { donation, startOverlayServer } from '../support/overlay-api.ts';
import { keepScreenshot } from '../support/screenshots.ts';

/*
 * The overlay as OBS shows it: a browser source is a Chromium page without a window, painted by the CPU where hardware acceleration is off,
 * above a scene that shows through wherever the page is transparent. Sound plays without a click.
 */
const OBS_FLAGS = [
  '--disable-gpu',
  '--disable-gpu-compositing',
  '--disable-accelerated-2d-canvas',
  '--autoplay-policy=no-user-gesture-required',
  '--hide-scrollbars',
  '--mute-audio',
];
const SOURCES = [
  { width: 800, height: 300 },
  { width: 1920, height: 1080 },
];
/** Points in time of an entry or exit, in milliseconds; the last is after the end of every motion. */
const FRAMES_MS = [0, 40, 80, 120, 160, 240, 2000];

let browser: Browser;
let server: Awaited<ReturnType<typeof startOverlayServer>>;
let page: Page;
/** An empty page that measures pictures. */
let gauge: Page;
let context: BrowserContext;
let pageErrors: string[];

beforeAll(async () => {
  const { args, ...options } = chromiumOptions();
  browser = await chromium.launch({ ...options, args: [...args, ...OBS_FLAGS] });
});
afterAll(() => browser.close());
beforeEach(async () => {
  server = await startOverlayServer();
  ({ page, context, pageErrors } = await openPage(browser));
  gauge = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await server.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

const alert = () => page.getByTestId('alert');

/** Stops all motions, so that frames show an exact moment however slow the machine is. */
const stopMotions = () =>
  page.evaluate(() => {
    for (const motion of document.getAnimations()) motion.pause();
    return document.getAnimations().length;
  });

const moveTo = (ms: number) =>
  page.evaluate(async (time) => {
    for (const motion of document.getAnimations()) {
      const end = Number(motion.effect?.getComputedTiming().endTime ?? 0);
      // A motion that has ended is no motion any more and could not be moved again.
      motion.currentTime = Math.min(time, end - 0.01);
    }
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  }, ms);

/** The source at this moment, as OBS composes it. */
async function look(name: string): Promise<Coverage> {
  const png = await page.screenshot({ omitBackground: true });
  await keepScreenshot(png, `obs-${name}`);
  return measureCoverage(gauge, png);
}

/** The coverage at each point in time. */
async function recordFrames(name: string): Promise<number[]> {
  const shares: number[] = [];
  for (const ms of FRAMES_MS) {
    await moveTo(ms);
    shares.push((await look(`${name}-${String(ms).padStart(4, '0')}`)).share);
  }
  return shares;
}

/** Ends all motions and lets the page run on. */
const endMotions = () => page.evaluate(() => document.getAnimations().forEach((motion) => motion.finish()));

describe.each(SOURCES)('in a browser source of $width×$height', (viewport) => {
  it.each(OVERLAY_TEMPLATES.flatMap((template) => OVERLAY_THEMES.map((theme) => ({ template, theme }))))(
    'the design $template in $theme enters and leaves above a transparent ground',
    async ({ template, theme }) => {
      const name = `${template}-${theme}-${viewport.width}`;
      await page.setViewportSize(viewport);
      server.change({ template, theme, image: 'heart', duration_seconds: 60 });
      server.order({});
      await page.goto(`${server.url}/overlay/tok_overlay`);
      await page.locator(`[data-template=${template}]`).waitFor({ state: 'attached' });
      while (server.including.size === 0) await page.waitForTimeout(20);
      await page.waitForLoadState('networkidle');
      expect(await look(`${name}-before`)).toEqual({ share: 0, isEdgeClear: true });

      server.push(donation());
      await page.locator('[data-testid=alert][data-shown=true]').waitFor({ state: 'attached' });
      expect(await stopMotions()).toBeGreaterThan(0);
      const entry = await recordFrames(`${name}-entry`);
      expect(entry[0]).toBe(0);
      expect(entry.at(-1)).toBeGreaterThan(0.01);
      expect(entry).toEqual(entry.toSorted((a, b) => a - b));
      await endMotions();
      expect((await look(`${name}-shown`)).isEdgeClear).toBe(true);

      server.order({ skipped_ms_ago: 0 });
      await page.locator('[data-testid=alert][data-shown=false]').waitFor({ state: 'attached' });
      expect(await stopMotions()).toBeGreaterThan(0);
      const exit = await recordFrames(`${name}-exit`);
      expect(exit).toEqual(exit.toSorted((a, b) => b - a));
      await endMotions();
      expect((await look(`${name}-after`)).share).toBe(0);
    },
  );
});

it('plays its sounds without a click', async () => {
  await page.addInitScript(() => {
    const states: string[] = [];
    Object.assign(globalThis, { states });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      states.push(this.context.state);
      return start.call(this, when);
    };
  });
  await page.goto(`${server.url}/overlay/tok_overlay?sound=50&duration=60`);
  while (server.including.size === 0) await page.waitForTimeout(20);
  server.push(donation(), donation());
  await alert().and(page.locator('[data-shown=true]')).waitFor();
  server.order({ skipped_ms_ago: 0 });
  const states = () => page.evaluate(() => (globalThis as unknown as { states: string[] }).states);
  await expect.poll(async () => (await states()).includes('running')).toBe(true);
});
