import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';
import type { Language } from '../src/ui/language.ts';

const webFolder = fileURLToPath(new URL('..', import.meta.url));

/** Where the build goes: `client/` is what any static host serves, `server/render.js` what the API calls. */
export const distFolder = `${webFolder}dist`;

/** The pages that have a script of their own, and where it starts. */
export const ENTRIES = {
  pay: 'src/pay/main.tsx',
  donate: 'src/donate/main.tsx',
  overlay: 'src/overlay/main.ts',
  account: 'src/account/main.tsx',
} as const;

/** The texts of the pages that have many, by language: each a file of its own. */
export const TEXTS: Readonly<
  Partial<Record<keyof typeof ENTRIES, Readonly<Record<Language, readonly string[]>>>>
> = {
  pay: { en: ['src/pay/texts/pay-page-en.ts'], de: ['src/pay/texts/pay-page-de.ts'] },
  donate: {
    en: ['src/pay/texts/pay-page-en.ts', 'src/donate/donate-en.ts'],
    de: ['src/pay/texts/pay-page-de.ts', 'src/donate/donate-de.ts'],
  },
  account: { en: ['src/account/account-en.ts'], de: ['src/account/account-de.ts'] },
};

const shared: InlineConfig = {
  root: webFolder,
  configFile: false,
  logLevel: 'warn',
  // Said here and not left to NODE_ENV: what tests load is what is deployed.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
};

/**
 * What several pages share, in few files, and such that no page loads what only another one needs: the overlay takes
 * the first alone, and what draws QR codes is as large as all the rest of the payment page.
 */
const SHARED_CHUNKS = [
  { name: 'base', test: /\/packages\/domain\/|\/src\/(money|ui\/(language|page-data))/, priority: 3 },
  { name: 'view', test: /\/node_modules\/preact\/|\/src\/ui\/(?!qr-code)|preload-helper/, priority: 2 },
  { name: 'qr', test: /\/node_modules\/qr\/|\/src\/ui\/qr-code/, priority: 1 },
] as const;

/** Scripts and styles, named by their content so that they may be cached for ever. */
export const clientBuild: InlineConfig = {
  ...shared,
  base: '/',
  publicDir: false,
  build: {
    outDir: `${distFolder}/client`,
    emptyOutDir: false,
    manifest: 'manifest.json',
    // Files below this size would become data: URLs, which the policy of the pages does not allow.
    assetsInlineLimit: 0,
    // The documents name what to load early, and every browser we aim at does so by itself.
    modulePreload: false,
    rolldownOptions: { input: ENTRIES, output: { codeSplitting: { groups: [...SHARED_CHUNKS] } } },
  },
};

/** The first view of every page as one file that needs no node_modules beside it. */
export function serverBuild(assets: unknown): InlineConfig {
  return {
    ...shared,
    publicDir: false,
    define: { PAGE_ASSETS: JSON.stringify(assets) },
    ssr: { noExternal: true, target: 'node' },
    build: {
      outDir: `${distFolder}/server`,
      emptyOutDir: false,
      ssr: 'src/server/render.tsx',
      target: 'node24',
      rolldownOptions: { output: { entryFileNames: 'render.js', codeSplitting: false } },
    },
  };
}
