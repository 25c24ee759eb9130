import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, launchBrowser, openPage, SIZES } from './support/browser.ts';
import { everyState } from './support/invoices.ts';
import { startPayerServer } from './support/payer-side.ts';
import { takePicture } from './support/pictures.ts';

let browser: Browser;
let server: Awaited<ReturnType<typeof startPayerServer>>;
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), startPayerServer()]);
});
afterAll(() => Promise.all([browser.close(), server.close()]));

const themes = ['light', 'dark'] as const;
const sizes = ['phone', 'desktop'] as const;

describe.each(themes)('the payment page in %s', (theme) => {
  it.each(sizes)('has no barrier and no sideways scrolling in any state on a %s', async (size) => {
    const { page, context, faults } = await openPage(browser, { viewport: SIZES[size], colorScheme: theme });
    const barriers: Record<string, string[]> = {};
    for (const [name, state] of Object.entries(everyState(Date.now()))) {
      server.put({ ...state, public_id: 'inv_look' });
      await page.goto(`${server.url}/pay/inv_look`);
      await page.locator('[data-testid=pay]').waitFor();
      barriers[name] = await findBarriers(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name).toBe(true);
      await takePicture(page, `pay-${name}-${size}-${theme}`);
    }
    await context.close();
    expect(barriers).toEqual(Object.fromEntries(Object.keys(barriers).map((name) => [name, []])));
    expect(faults).toEqual([]);
  });
});
