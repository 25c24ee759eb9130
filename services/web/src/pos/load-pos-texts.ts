import type { LinkTexts } from '../link/link-en.ts';
import { loadLinkTexts } from '../link/load-link-texts.ts';
import type { Language } from '../ui/language.ts';
import type { PosTexts } from './pos-en.ts';

/** The texts of the point of sale, and those of the link that it is. */
export type AllTexts = { readonly pos: PosTexts; readonly link: LinkTexts };

/** Loads both in one language. The document preloads the files. */
export async function loadPosTexts(language: Language): Promise<AllTexts> {
  const [pos, link] = await Promise.all([loadOwn(language), loadLinkTexts(language)]);
  return { pos, link };
}

async function loadOwn(language: Language): Promise<PosTexts> {
  if (language === 'de') return (await import('./pos-de.ts')).posDe;
  return (await import('./pos-en.ts')).posEn;
}
