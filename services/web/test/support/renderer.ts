import type { ReadDonationForm, ReadPurchaseForm, RenderPage } from '@paywatch/domain/contract';
import { distFolder } from '../../build/vite-options.ts';

/** Loads the server renderer from the build. */
export async function loadRenderer(): Promise<{
  renderPage: RenderPage;
  readDonationForm: ReadDonationForm;
  readPurchaseForm: ReadPurchaseForm;
}> {
  return import(`${distFolder}/server/render.js`);
}
