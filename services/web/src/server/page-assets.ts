import type { Language } from '../ui/language.ts';

/** The files that one page loads, as absolute paths: its script, what that imports, its styles in order, the icon. */
export type PageFiles = {
  readonly script: string;
  readonly preloads: readonly string[];
  readonly styles: readonly string[];
  readonly icon: string;
};

/** The files of each page by its name, and those with its texts, of which a reader needs one language. */
export type PageAssets = Readonly<
  Record<string, PageFiles & { readonly texts: Readonly<Record<Language, readonly string[]>> }>
>;

/** The files of one page for a reader of one language. Throws Error where the build left it out. */
export function assetsOf(assets: PageAssets, page: string, language: Language): PageFiles {
  const files = assets[page];
  if (files === undefined) throw new Error(`the build has no page ${page}`);
  const { texts, ...shared } = files;
  return { ...shared, preloads: [...shared.preloads, ...texts[language]] };
}
