import type { Language } from '../../ui/language.ts';
import type { PayPageTexts } from './pay-page-en.ts';

/** The texts of the payment page in one language; the document has asked for them before this does. */
export async function loadPayTexts(language: Language): Promise<PayPageTexts> {
  if (language === 'de') return (await import('./pay-page-de.ts')).payPageDe;
  return (await import('./pay-page-en.ts')).payPageEn;
}
