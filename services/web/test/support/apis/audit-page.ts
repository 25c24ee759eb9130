import type { Page } from 'playwright-core';
import { findAccessibilityViolations, SIZES } from '../browser.ts';
import { areScreenshotsEnabled, takeScreenshot } from '../screenshots.ts';

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

/**
 * Reports what is wider than its card, or than the screen. A phone widens its layout instead of scrolling, so the window's width
 * proves nothing there.
 */
export async function findCardOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const edges = [...document.querySelectorAll('.card, .panel')].flatMap((card) => {
      const { left, right } = card.getBoundingClientRect();
      return (
        [...card.querySelectorAll('*')]
          .filter((part) => !part.matches('.visually-hidden, .visually-hidden *'))
          // On a phone each cell shows its header, and the row of headers is for screen readers.
          .filter((part) => getComputedStyle(part.closest('thead') ?? part).clipPath === 'none')
          .map((part) => ({ part, box: part.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.left < left - 0.5 || box.right > right + 0.5))
          .map(
            ({ part, box }) => `${part.tagName} ${part.className} ends at ${box.right}, its card at ${right}`,
          )
      );
    });
    const { scrollWidth } = document.documentElement;
    return scrollWidth > screen.width ? [...edges, `the page is ${scrollWidth} px wide`] : edges;
  });
}
