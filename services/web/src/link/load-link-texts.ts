import type { Language } from '../ui/language.ts';
import type { LinkTexts } from './link-en.ts';

/** Loads the texts of the page in one language. The document preloads the file. */
export async function loadLinkTexts(language: Language): Promise<LinkTexts> {
  if (language === 'de') return (await import('./link-de.ts')).linkDe;
  return (await import('./link-en.ts')).linkEn;
}
