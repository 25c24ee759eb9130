import { HANG_TIMEOUT_MS } from '@paywatch/dev/testing';
import AxeBuilder from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { inject } from 'vitest';

/** A connection to the one browser of this run; closing it closes its contexts. */
export function connectBrowser(): Promise<Browser> {
  return chromium.connect(inject('browserEndpoint'), { timeout: HANG_TIMEOUT_MS });
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
  page.setDefaultTimeout(HANG_TIMEOUT_MS);
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !text.includes('Failed to load resource')) pageErrors.push(text);
  });
  return { page, context, pageErrors };
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe-core finds against WCAG 2.2 A and AA, or by these rules alone, as `rule: element`; empty where nothing. */
export async function findAccessibilityViolations(
  page: Page,
  rules: readonly string[] = STANDARDS,
): Promise<string[]> {
  // By the debugger and not as a script element: the policy of the pages rightly refuses that.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AxeBuilder.source);
  const { violations } = await page.evaluate(
    (runOnly) =>
      (globalThis as unknown as { axe: typeof AxeBuilder }).axe.run(document, {
        runOnly: [...runOnly],
        resultTypes: ['violations'],
      }),
    rules,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary})`),
  );
}
