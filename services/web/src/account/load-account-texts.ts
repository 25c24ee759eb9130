import type { AccountTexts } from './account-en.ts';
import type { Language } from '../ui/language.ts';

/** The texts of the account area in one language: they are a third of it. */
export async function loadAccountTexts(language: Language): Promise<AccountTexts> {
  if (language === 'de') return (await import('./account-de.ts')).accountDe;
  return (await import('./account-en.ts')).accountEn;
}
