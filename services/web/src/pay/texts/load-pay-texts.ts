import type { Language } from '../../ui/language.ts';
import type { PayPageTexts } from './pay-page-en.ts';

/** Loads the texts of the payment page in one language. The document preloads this file. */
export async function loadPayTexts(language: Language): Promise<PayPageTexts> {
  if (language === 'de') return (await import('./pay-page-de.ts')).payPageDe;
  return (await import('./pay-page-en.ts')).payPageEn;
}
