import { HANG_TIMEOUT_MS } from '@paywatch/dev/testing';
import AxeBuilder from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { inject } from 'vitest';

/** Connects to the browser of this test run; closing the connection closes its contexts. */
export function connectBrowser(): Promise<Browser> {
  return chromium.connect(inject('browserEndpoint'), { timeout: HANG_TIMEOUT_MS });
}

/** The two window sizes that every page is tested in. */
export const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } } as const;

/** Small windows in which texts once did not fit: two phones, and the usual browser source of OBS. */
export const TIGHT_SIZES = [
  { width: 320, height: 700 },
  { width: 390, height: 700 },
  { width: 800, height: 300 },
] as const;

/** Opens a page and collects browser errors, including violations of the Content-Security-Policy. */
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

/** The violations that axe-core finds, as `rule: element`. Checks WCAG 2.2 A and AA, or only the given rules. */
export async function findAccessibilityViolations(
  page: Page,
  rules: readonly string[] = STANDARDS,
): Promise<string[]> {
  // evaluate() bypasses the Content-Security-Policy, which blocks an injected script element.
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
