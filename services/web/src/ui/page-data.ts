import { languageOf, type Language } from './language.ts';

/** The element that the server and the client render into. Throws Error without it. */
export function pageRoot(): HTMLElement {
  const root = document.getElementById('page');
  if (root === null) throw new Error('the document has no #page');
  return root;
}

/** The language that the server rendered. */
export function pageLanguage(): Language {
  return languageOf(document.documentElement.lang) ?? 'en';
}
