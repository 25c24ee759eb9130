/** The fields of the source's `package.json` that are published. */
export type SourceManifest = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly engines: { readonly node: string };
};

/** Creates the published package.json from that of the source. Pure. */
export function publishedManifest({
  name,
  version,
  description,
  keywords,
  license,
  engines,
}: SourceManifest) {
  return {
    name,
    version,
    description,
    keywords,
    license,
    engines,
    type: 'module',
    sideEffects: false,
    exports: {
      '.': { types: './types/index.d.ts', default: './index.js' },
      './button': { types: './types/button.d.ts', default: './button.js' },
      './package.json': './package.json',
    },
    types: './types/index.d.ts',
    files: ['index.js', 'index.js.map', 'button.js', 'button.js.map', 'types', 'examples'],
    publishConfig: { access: 'public' },
  };
}
