import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** Where pictures of the pages go for people to look at; git ignores it. */
const folder = fileURLToPath(new URL('../../screenshots', import.meta.url));

/** Takes a picture of the whole page. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
