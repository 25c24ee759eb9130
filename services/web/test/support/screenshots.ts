import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** Where pictures of the pages go for people to look at; git ignores it. */
const folder = fileURLToPath(new URL('../../screenshots', import.meta.url));

/** Drawing them takes longer than all the rest, so PAYWATCH_SCREENSHOTS has to ask for them. */
export function areScreenshotsEnabled(): boolean {
  return process.env['PAYWATCH_SCREENSHOTS'] !== undefined;
}

/** Takes a picture of the whole page where pictures are asked for. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (!areScreenshotsEnabled()) return;
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
