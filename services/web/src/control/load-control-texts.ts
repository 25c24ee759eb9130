import type { Language } from '../ui/language.ts';
import type { ControlTexts } from './control-en.ts';

/** Loads the texts of the control page in one language. The document preloads this file. */
export async function loadControlTexts(language: Language): Promise<ControlTexts> {
  if (language === 'de') return (await import('./control-de.ts')).controlDe;
  return (await import('./control-en.ts')).controlEn;
}
