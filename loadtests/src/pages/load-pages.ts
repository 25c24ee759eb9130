import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';

const VIEWPORT = { width: 360, height: 740 };
const TIMEOUT_MS = 60_000;

/** The pages to measure: the payment page of an unpaid order, and the account area of a merchant. */
export type MeasuredPages = { payUrl: string; accountUrl: string; email: string; password: string };

/** Runs before the navigation that is measured. */
type Prepare = (page: Page) => Promise<void>;

/** Gives `use` a browser of a phone with an empty cache. */
export async function withPhone<T>(
  browser: Browser,
  use: (context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-US' });
  context.setDefaultTimeout(TIMEOUT_MS);
  try {
    return await use(context);
  } finally {
    await context.close();
  }
}

/** Starts to load the payment page; {@link reached} waits for both its marks. */
export async function loadPayment(context: BrowserContext, url: string, prepare: Prepare): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(
    recordPainted(['[data-testid=amount-due]', '[data-testid=address]', '[data-testid=qr] path']),
  );
  await page.addInitScript(RECORD_FIRST_STATUS);
  await prepare(page);
  await page.goto(url, { waitUntil: 'commit' });
  return page;
}

/** Logs in, then starts to load the overview as a phone that has a session and an empty cache; its mark is `painted`. */
export async function loadAccount(
  context: BrowserContext,
  pages: MeasuredPages,
  prepare: Prepare,
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${pages.accountUrl}/login`);
  await page.getByTestId('email').fill(pages.email);
  await page.getByTestId('password').fill(pages.password);
  await page.getByTestId('login-submit').click();
  await page.locator('.shell').waitFor();
  await page.addInitScript(recordPainted(['[data-testid=overview] [data-testid=status-counts]']));
  await prepare(page);
  await page.goto(pages.accountUrl, { waitUntil: 'commit' });
  return page;
}

/** Waits until a mark is reached. Resolves to the milliseconds since the navigation. */
export async function reached(page: Page, name: 'painted' | 'live'): Promise<number> {
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
