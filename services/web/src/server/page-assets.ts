import type { Language } from '../ui/language.ts';

/** The images that documents name, as absolute paths: the icon, and the picture of links to pages without one of their own. */
export type PageImages = { readonly icon: string; readonly linkImage: string };

/** The files that a page loads, as absolute paths: its script, the script's imports, styles in order, the icon. */
export type PageFiles = PageImages & {
  readonly script: string;
  readonly preloads: readonly string[];
  readonly styles: readonly string[];
};

/** The files of each page by page name, with those of its texts by language, and those that only a logged-in reader needs. */
export type PageAssets = Readonly<
  Record<
    string,
    PageFiles & {
      readonly texts: Readonly<Record<Language, readonly string[]>>;
      readonly signedIn: readonly string[];
    }
  >
>;

/** The files of a page in one language. Throws Error if the build does not contain the page. */
export function assetsOf(
  assets: PageAssets,
  page: string,
  language: Language,
  { hasSession = false }: { hasSession?: boolean } = {},
): PageFiles {
  const files = assets[page];
  if (files === undefined) throw new Error(`the build has no page ${page}`);
  const { texts, signedIn, ...shared } = files;
  return {
    ...shared,
    preloads: [...shared.preloads, ...texts[language], ...(hasSession ? signedIn : [])],
  };
}

/** The same files with the style sheet of an accent color, which the server writes. Takes `#rrggbb`. */
export function withAccent(files: PageFiles, color: string | null | undefined): PageFiles {
  if (color === undefined || color === null) return files;
  return { ...files, styles: [...files.styles, `/assets/accent-${color.slice(1)}.css`] };
}

/** The same files with the style sheets of a part that the server renders. */
export function withStyles(files: PageFiles, { styles }: PageFiles): PageFiles {
  return { ...files, styles: [...new Set([...files.styles, ...styles])] };
}
