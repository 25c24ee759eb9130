import type { Page } from 'playwright-core';
import { findAccessibilityViolations, SIZES } from './browser.ts';
import { areScreenshotsEnabled, takeScreenshot } from './screenshots.ts';

/** The last has the colours of the second and the shapes of the third: it is looked at where pictures are taken. */
const LOOKS = [
  ['phone', 'light'],
  ['phone', 'dark'],
  ['desktop', 'light'],
  ['desktop', 'dark'],
] as const;

/**
 * Looks at a page as it stands, on a phone and on a desktop, in the light and in the dark. What is wrong with it, by the
 * looks it has then: barriers for people (WCAG 2.2 AA) and sideways scrolling. Empty where all is well.
 */
export async function auditPage(page: Page, name: string): Promise<Record<string, string[]>> {
  const findings: Record<string, string[]> = {};
  // Whatever the last click left under it would look as if it were chosen.
  await page.mouse.move(0, 0);
  for (const [size, colorScheme] of LOOKS.slice(0, areScreenshotsEnabled() ? 4 : 3)) {
    const looks = `${name}-${size}-${colorScheme}`;
    await page.setViewportSize(SIZES[size]);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const found = [
      ...(await findAccessibilityViolations(page)),
      ...(await findOverflow(page)),
      ...(await findSmallTargets(page)),
    ];
    if (found.length > 0) findings[looks] = found;
    await takeScreenshot(page, looks);
  }
  return findings;
}

/** Controls that are lower than a finger wants: 44 px. Links within sentences, which are as high as these, are left out. */
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

/** Whether the page is wider than its window. */
export async function findOverflow(page: Page): Promise<string[]> {
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return isWide ? ['scrolls sideways'] : [];
}
