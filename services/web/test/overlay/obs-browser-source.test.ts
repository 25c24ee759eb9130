import { chromiumOptions } from '@paywatch/dev/testing';
import { OVERLAY_TEMPLATES, OVERLAY_THEMES } from '@paywatch/domain/overlay';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPage } from '../support/browser.ts';
import { measureCoverage, type Coverage } from '../support/measure-picture.ts';
import { donation, startOverlayServer } from '../support/apis/overlay-api.ts';
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
/** The points in time of an entry or exit, in milliseconds; the last is after the end of every motion. */
const SOURCES = [
  { width: 800, height: 300, themes: OVERLAY_THEMES, framesMs: [0, 40, 80, 120, 160, 240, 2000] },
  { width: 1920, height: 1080, themes: ['dark'] as const, framesMs: [0, 120, 2000] },
];

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

/** Stops every motion as it begins, so that frames show an exact moment however slow the machine is. */
const stopMotions = () =>
  page.evaluate(() => {
    for (const type of ['transitionrun', 'animationstart'])
      document.addEventListener(type, () => document.getAnimations().forEach((motion) => motion.pause()));
  });

/** Waits until a motion has begun and is stopped. */
const stopped = () =>
  page.waitForFunction(() => document.getAnimations().some(({ playState }) => playState === 'paused'));

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
async function recordFrames(name: string, framesMs: readonly number[]): Promise<number[]> {
  const shares: number[] = [];
  for (const ms of framesMs) {
    await moveTo(ms);
    shares.push((await look(`${name}-${String(ms).padStart(4, '0')}`)).share);
  }
  return shares;
}

/** Whether frames between the first and the last show neither: designs may overshoot or flicker. */
const isMotion = (shares: readonly number[]) => new Set(shares.map((share) => share.toFixed(4))).size > 2;

/** Ends all motions and lets the page run on. */
const endMotions = () => page.evaluate(() => document.getAnimations().forEach((motion) => motion.finish()));

describe.each(SOURCES)('in a browser source of $width×$height', ({ themes, framesMs, ...viewport }) => {
  it.each(OVERLAY_TEMPLATES.flatMap((template) => themes.map((theme) => ({ template, theme }))))(
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

      await stopMotions();
      server.push(donation());
      await page.locator('[data-testid=alert][data-shown=true]').waitFor({ state: 'attached' });
      await stopped();
      const entry = await recordFrames(`${name}-entry`, framesMs);
      expect(isMotion(entry), entry.join()).toBe(true);
      expect(entry.at(-1)).toBeGreaterThan(0.01);
      await endMotions();
      expect((await look(`${name}-shown`)).isEdgeClear).toBe(true);

      server.order({ skipped_ms_ago: 0 });
      await page.locator('[data-testid=alert][data-shown=false]').waitFor({ state: 'attached' });
      await stopped();
      const exit = await recordFrames(`${name}-exit`, framesMs);
      expect(isMotion(exit), exit.join()).toBe(true);
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
