import type { Page } from 'playwright-core';
import { findAccessibilityViolations, SIZES } from './browser.ts';
import { areScreenshotsEnabled, takeScreenshot } from './screenshots.ts';

/** Dark desktop combines the colors of dark phone with the layout of light desktop, so it is only for screenshots. */
const VARIANTS = [
  ['phone', 'light'],
  ['phone', 'dark'],
  ['desktop', 'light'],
  ['desktop', 'dark'],
] as const;

/**
 * Audits the current page on phone and desktop, in light and dark: accessibility (WCAG 2.2 AA), horizontal scrolling
 * and target sizes. Returns the findings by variant; empty if there are none.
 */
export async function auditPage(page: Page, name: string): Promise<Record<string, string[]>> {
  const findings: Record<string, string[]> = {};
  // A hovered control has other colors.
  await page.mouse.move(0, 0);
  for (const [size, colorScheme] of VARIANTS.slice(0, areScreenshotsEnabled() ? 4 : 3)) {
    const variant = `${name}-${size}-${colorScheme}`;
    await page.setViewportSize(SIZES[size]);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const found = [
      ...(await findAccessibilityViolations(page)),
      ...(await findOverflow(page)),
      ...(await findSmallTargets(page)),
    ];
    if (found.length > 0) findings[variant] = found;
    await takeScreenshot(page, variant);
  }
  return findings;
}

/** Controls lower than 44 px. Links within sentences are left out. */
async function findSmallTargets(page: Page): Promise<string[]> {
  const controls = page.locator(
    'button, select, textarea, summary, input.input, label.check, nav a, a.button',
  );
  return controls.evaluateAll((found) =>
    found
      .map((control) => ({ control, height: control.getBoundingClientRect().height }))
      .filter(({ height }) => height > 0 && height < 44)
      .map(({ control, height }) => `${control.tagName} ${control.textContent} is ${height} px high`),
  );
}

/** Reports a page that is wider than its window. */
export async function findOverflow(page: Page): Promise<string[]> {
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return isWide ? ['scrolls horizontally'] : [];
}
