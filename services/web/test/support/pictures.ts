import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** Where pictures of the pages go for people to look at; git ignores it. */
const folder = fileURLToPath(new URL('../../screenshots', import.meta.url));

/** Takes a picture of the whole page where PAYWATCH_PICTURES asks for it: drawing them takes longer than all the rest. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['PAYWATCH_PICTURES'] === undefined) return;
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
