import type { ReadDonationForm, RenderPage } from '@paywatch/domain/contract';
import { distFolder } from '../../build/vite-options.ts';

/** What the build exports for servers. */
export async function loadRenderer(): Promise<{
  renderPage: RenderPage;
  readDonationForm: ReadDonationForm;
}> {
  return import(`${distFolder}/server/render.js`);
}
