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

/**
 * The data that the server rendered the page from, or null in a shell from a static host. It is stored in an
 * attribute because the Content-Security-Policy forbids inline script elements.
 */
export function pageData<Data>(parse: (json: string) => Data): { data: Data; renderedAtMs: number } | null {
  const { data, renderedAt } = pageRoot().dataset;
  return data === undefined ? null : { data: parse(data), renderedAtMs: Number(renderedAt) };
}
