import type { Language } from '../../ui/language.ts';
import type { DonateTexts } from './donate-en.ts';

/** Loads the texts of the donation page in one language. The document preloads this file. */
export async function loadDonateTexts(language: Language): Promise<DonateTexts> {
  if (language === 'de') return (await import('./donate-de.ts')).donateDe;
  return (await import('./donate-en.ts')).donateEn;
}
