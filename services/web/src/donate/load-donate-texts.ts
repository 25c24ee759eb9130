import type { DonateTexts } from './donate-en.ts';
import type { Language } from '../ui/language.ts';
import { loadPayTexts } from '../pay/texts/load-pay-texts.ts';
import type { PayPageTexts } from '../pay/texts/pay-page-en.ts';

/** The texts of the donation page and of the payment view that replaces its form. */
export type DonatePageTexts = PayPageTexts & { readonly donate: DonateTexts };

/** Loads the texts of the donation page in one language. The document preloads these files. */
export async function loadDonateTexts(language: Language): Promise<DonatePageTexts> {
  const [pay, donate] = await Promise.all([loadPayTexts(language), loadFormTexts(language)]);
  return { ...pay, donate };
}

async function loadFormTexts(language: Language): Promise<DonateTexts> {
  if (language === 'de') return (await import('./donate-de.ts')).donateDe;
  return (await import('./donate-en.ts')).donateEn;
}
