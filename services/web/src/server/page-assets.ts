/** The files of each page by its name, as absolute paths: its script, what that imports, its styles in order, the icon. */
export type PageAssets = Readonly<
  Record<
    string,
    {
      readonly script: string;
      readonly preloads: readonly string[];
      readonly styles: readonly string[];
      readonly icon: string;
    }
  >
>;

/** The files of one page. Throws Error where the build left it out. */
export function assetsOf(assets: PageAssets, page: string): PageAssets[string] {
  const files = assets[page];
  if (files === undefined) throw new Error(`the build has no page ${page}`);
  return files;
}
