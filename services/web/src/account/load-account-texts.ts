import type { AccountTexts } from './account-en.ts';
import type { Language } from '../ui/language.ts';

/** Loads the texts of the account area in one language; the texts are a third of its size. */
export async function loadAccountTexts(language: Language): Promise<AccountTexts> {
  if (language === 'de') return (await import('./account-de.ts')).accountDe;
  return (await import('./account-en.ts')).accountEn;
}
