import { pageRoot } from './page-data.ts';

/**
 * The data that the server rendered the page from, or null in a shell from a static host. It is stored in an
 * attribute because the Content-Security-Policy forbids inline script elements.
 */
export function pageData<Data>(parse: (json: string) => Data): { data: Data; renderedAtMs: number } | null {
  const { data, renderedAt } = pageRoot().dataset;
  return data === undefined ? null : { data: parse(data), renderedAtMs: Number(renderedAt) };
}
