import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';
import type { Language } from '../src/ui/language.ts';

const webFolder = fileURLToPath(new URL('..', import.meta.url));

/** The output folder: any static host can serve `client/`; the API imports `server/render.js`. */
export const distFolder = `${webFolder}dist`;

/** The entry script of each page. */
export const ENTRIES = {
  pay: 'src/pay/main.tsx',
  donate: 'src/donate/main.tsx',
  link: 'src/link/main.tsx',
  pos: 'src/pos/main.tsx',
  overlay: 'src/overlay/main.ts',
  overlayLatest: 'src/overlay/sources/latest-main.ts',
  overlaySummary: 'src/overlay/sources/summary-main.ts',
  control: 'src/control/main.tsx',
  status: 'src/status/main.ts',
  order: 'src/order/main.ts',
  account: 'src/account/main.tsx',
} as const;

/** The text modules of each page by language; each becomes a chunk of its own. */
export const TEXTS: Readonly<
  Partial<Record<keyof typeof ENTRIES, Readonly<Record<Language, readonly string[]>>>>
> = {
  pay: { en: ['src/pay/texts/pay-page-en.ts'], de: ['src/pay/texts/pay-page-de.ts'] },
  donate: {
    en: ['src/donate/texts/donate-en.ts'],
    de: ['src/donate/texts/donate-de.ts'],
  },
  link: { en: ['src/link/link-en.ts'], de: ['src/link/link-de.ts'] },
  pos: {
    en: ['src/pos/pos-en.ts', 'src/link/link-en.ts'],
    de: ['src/pos/pos-de.ts', 'src/link/link-de.ts'],
  },
  control: { en: ['src/control/control-en.ts'], de: ['src/control/control-de.ts'] },
  account: { en: ['src/account/account-en.ts'], de: ['src/account/account-de.ts'] },
};

/** What the account area loads once it knows that the reader is logged in. */
export const SIGNED_IN_AREA = 'src/account/app/signed-in-area.tsx';

/** The script in the frame that previews an alert. */
export const PREVIEW_ENTRY = 'src/overlay/preview/main.ts';

const shared: InlineConfig = {
  root: webFolder,
  configFile: false,
  logLevel: 'warn',
  // Independent of NODE_ENV, so that tests load the same code as production.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
};

/**
 * The chunks that several pages share, split so that no page loads code it does not need: the overlay loads only
 * `base`, only pages with forms load `text`, only forms and the account area calculate in fiat, and the QR encoder is as large as
 * the rest of the payment page.
 */
const SHARED_CHUNKS = [
  { name: 'text', test: /\/packages\/domain\/.*\/((visible|secret)-text|limits)/, priority: 4 },
  { name: 'accent', test: /\/accent-colors\.ts/, priority: 4 },
  {
    name: 'base',
    test: /\/packages\/domain\/(?!.*(overlay-(uploads|options)|role-order|\/fiat\.ts|\/prices\/))|\/src\/(money\/amounts|ui\/(language\.ts|page-data))/,
    priority: 3,
  },
  {
    name: 'view',
    test: /\/node_modules\/preact\/|\/src\/(ui\/(?!qr-code)|money\/|embed\/connect)|preload-helper/,
    priority: 2,
  },
  { name: 'qr', test: /\/node_modules\/qr\/|\/src\/ui\/qr-code/, priority: 1 },
  // What every browser source needs: in one file, since each file costs the page of alerts about a hundred bytes.
  {
    name: 'source',
    test: /\/overlay-options\.ts|\/src\/overlay\/(settings|overlay-token)\.ts/,
    priority: 1,
  },
  // Without what only screens behind the login need. Otherwise each screen that is loaded on demand would split a few more parts off, each as a file of its own.
  {
    name: 'area',
    test: /\/src\/account\/(api|frame|parts)\/(?!form\/strength-meter|lazy|login|may|shell|uploads)/,
    priority: 1,
  },
] as const;

/** Builds scripts and styles under hashed names, which browsers may cache forever. */
export const clientBuild: InlineConfig = {
  ...shared,
  base: '/',
  publicDir: false,
  build: {
    outDir: `${distFolder}/client`,
    emptyOutDir: false,
    manifest: 'manifest.json',
    // Vite would inline small files as data: URLs, which the Content-Security-Policy forbids.
    assetsInlineLimit: 0,
    // The documents contain the preload links, and all supported browsers implement modulepreload.
    modulePreload: false,
    rolldownOptions: { input: ENTRIES, output: { codeSplitting: { groups: [...SHARED_CHUNKS] } } },
  },
};

/** Builds the script of the payment button: one file under one name, for any site. */
export const embedBuild: InlineConfig = {
  ...shared,
  publicDir: false,
  build: {
    outDir: `${distFolder}/client`,
    emptyOutDir: false,
    lib: {
      entry: `${webFolder}src/embed/main.ts`,
      name: 'paywatch',
      formats: ['iife'],
      fileName: () => 'embed.js',
    },
  },
};

/**
 * Builds the preview of an alert apart: chunks that it shared with the overlay would make the overlay load more files, and more bytes.
 */
export const previewBuild: InlineConfig = {
  ...clientBuild,
  build: {
    ...clientBuild.build,
    manifest: 'manifest-preview.json',
    rolldownOptions: { input: { preview: PREVIEW_ENTRY } },
  },
};

/** Builds the server renderer as one file without dependencies. */
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
