import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import { median } from '../shared/median.ts';

/** A slow phone: four times less CPU than this machine, 400 ms latency and 400 kbit/s in both directions. */
const CPU_SLOWDOWN = 4;
const NETWORK = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const VIEWPORT = { width: 360, height: 740 };
const TIMEOUT_MS = 60_000;
const TURNS = 5;
/** What a loop takes on the machine that a slow phone is four times slower than; see {@link slowdownHere}. */
const REFERENCE_LOOP_MS = 130;

/** Milliseconds from the navigation with an empty cache, of five turns. */
export type PageSpeed = {
  /** Amount, address and the complete QR code are painted. */
  readableMs: number;
  /** The first message of the status stream has arrived. */
  liveMs: number;
  /** A merchant with a session sees the overview with its statistics. */
  accountMs: number;
};

/** The pages to measure: the payment page of an unpaid order, and the account area of a merchant. */
export type MeasuredPages = { payUrl: string; accountUrl: string; email: string; password: string };

/** How a measurement treats its turns and the machine. */
export type MeasureOptions = {
  /** Makes one figure of the turns; by default their median. */
  choose?: (turns: readonly number[]) => number;
  /** How much less CPU than this machine the phone has, asked before each turn; by default four times. */
  slowdownOf?: (browser: Browser) => Promise<number>;
};

/** Measures both pages as a slow phone loads them. */
export async function measurePages(
  browser: Browser,
  pages: MeasuredPages,
  { choose = median, slowdownOf = () => Promise.resolve(CPU_SLOWDOWN) }: MeasureOptions = {},
): Promise<PageSpeed> {
  const payments: { readableMs: number; liveMs: number }[] = [];
  const accounts: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const slowdown = await slowdownOf(browser);
    payments.push(await withContext(browser, (context) => measurePayment(context, pages.payUrl, slowdown)));
    accounts.push(await withContext(browser, (context) => measureAccount(context, pages, slowdown)));
  }
  return {
    readableMs: choose(payments.map(({ readableMs }) => readableMs)),
    liveMs: choose(payments.map(({ liveMs }) => liveMs)),
    accountMs: choose(accounts),
  };
}

/**
 * How much less CPU than this machine has at the moment the same slow phone has: less than four times on a slow or busy machine, where the
 * page would otherwise be loaded by a slower phone. Use it where other work runs beside the measurement.
 */
export async function slowdownHere(browser: Browser): Promise<number> {
  const loopMs = await withContext(browser, async (context) => {
    const page = await context.newPage();
    return z.number().parse(await page.evaluate(FASTEST_LOOP));
  });
  return Math.min(CPU_SLOWDOWN, Math.max(1, (CPU_SLOWDOWN * REFERENCE_LOOP_MS) / loopMs));
}

/** The milliseconds of the fastest of three loops, as a text like the scripts below. */
const FASTEST_LOOP = `Math.min(...Array.from({ length: 3 }, () => {
  const startMs = performance.now();
  let text = '';
  for (let i = 0; i < 3_000_000; i += 1) text = (text + String.fromCharCode(97 + (i % 26))).slice(-40);
  return performance.now() - startMs + text.length - 40;
}))`;

async function withContext<T>(browser: Browser, use: (context: BrowserContext) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-US' });
  context.setDefaultTimeout(TIMEOUT_MS);
  try {
    return await use(context);
  } finally {
    await context.close();
  }
}

async function measurePayment(
  context: BrowserContext,
  url: string,
  slowdown: number,
): Promise<{ readableMs: number; liveMs: number }> {
  const page = await context.newPage();
  await page.addInitScript(
    recordPainted(['[data-testid=amount-due]', '[data-testid=address]', '[data-testid=qr] path']),
  );
  await page.addInitScript(RECORD_FIRST_STATUS);
  await slowDown(page, slowdown);
  await page.goto(url, { waitUntil: 'commit' });
  const [readableMs, liveMs] = await Promise.all([recorded(page, 'painted'), recorded(page, 'live')]);
  return { readableMs, liveMs };
}

/** Logs in at full speed, then loads the overview as a phone that has a session and an empty cache. */
async function measureAccount(
  context: BrowserContext,
  pages: MeasuredPages,
  slowdown: number,
): Promise<number> {
  const page = await context.newPage();
  await page.goto(`${pages.accountUrl}/login`);
  await page.getByTestId('email').fill(pages.email);
  await page.getByTestId('password').fill(pages.password);
  await page.getByTestId('login-submit').click();
  await page.locator('.shell').waitFor();
  await page.addInitScript(recordPainted(['[data-testid=overview] [data-testid=status-counts]']));
  await slowDown(page, slowdown);
  await page.goto(pages.accountUrl, { waitUntil: 'commit' });
  return recorded(page, 'painted');
}

async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** What one of the scripts below recorded. */
async function recorded(page: Page, name: 'painted' | 'live'): Promise<number> {
  return z.number().parse(await page.evaluate(`globalThis.${name}`));
}

/**
 * A script for the page: records when all elements have a size, in milliseconds since the navigation. The browser calls back only while it
 * paints. A text, because this project is compiled without the types of browsers.
 */
function recordPainted(selectors: readonly string[]): string {
  return `globalThis.painted = new Promise((resolve) => {
    const isShown = (selector) => document.querySelector(selector)?.getBoundingClientRect().height > 0;
    const look = () => requestAnimationFrame(${JSON.stringify(selectors)}.every(isShown) ? resolve : look);
    requestAnimationFrame(look);
  });`;
}

/** A script for the page: records the first message of its status stream. */
const RECORD_FIRST_STATUS = `globalThis.live = new Promise((resolve) => {
  globalThis.EventSource = class extends EventSource {
    constructor(url) {
      super(url);
      this.addEventListener('status', () => resolve(performance.now()), { once: true });
    }
  };
});`;
