import { fileURLToPath } from 'node:url';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

/** Screenshots for manual review; ignored by git. */
const folder = fileURLToPath(new URL('../../screenshots', import.meta.url));

/** Screenshots take longer than all the tests, so they are taken only if PAYWATCH_SCREENSHOTS is set. */
export function areScreenshotsEnabled(): boolean {
  return process.env['PAYWATCH_SCREENSHOTS'] !== undefined;
}

/** Takes a screenshot of the whole page if PAYWATCH_SCREENSHOTS is set. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (!areScreenshotsEnabled()) return;
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Keeps a picture that was taken if PAYWATCH_SCREENSHOTS is set. */
export async function keepScreenshot(png: Buffer, name: string): Promise<void> {
  if (!areScreenshotsEnabled()) return;
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/${name}.png`, png);
}
