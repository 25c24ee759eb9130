import AxeBuilder from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** The browser of the machine; CHROMIUM names another one. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  });
}

/** The two widths that every page is made for. */
export const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } } as const;

/** A page that fails the test when the browser reports an error or refuses something by the page's policy. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: SIZES.phone,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    ...options,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !text.includes('Failed to load resource')) faults.push(text);
  });
  return { page, context, faults };
}

/** What axe-core finds against WCAG 2.2 A and AA, as `rule: element`; empty where nothing. */
export async function findBarriers(page: Page): Promise<string[]> {
  // By the debugger and not as a script element: the policy of the pages rightly refuses that.
  await page.evaluate(AxeBuilder.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof AxeBuilder }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary})`),
  );
}
