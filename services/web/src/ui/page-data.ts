import { languageOf, type Language } from './language.ts';

/** The element that pages are rendered into, on the server and here. */
export function pageRoot(): HTMLElement {
  const root = document.getElementById('page');
  if (root === null) throw new Error('the document has no #page');
  return root;
}

/** The language that the server chose. */
export function pageLanguage(): Language {
  return languageOf(document.documentElement.lang) ?? 'en';
}

/**
 * What the server rendered the first view from, or null in a shell that a static host served. It travels in an attribute,
 * not in a script element, so that the policy of the pages needs no exception.
 */
export function pageData<Data>(parse: (json: string) => Data): { data: Data; renderedAtMs: number } | null {
  const { data, renderedAt } = pageRoot().dataset;
  return data === undefined ? null : { data: parse(data), renderedAtMs: Number(renderedAt) };
}
