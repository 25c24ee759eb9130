import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';

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

const shared: InlineConfig = {
  root: webFolder,
  configFile: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
};

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
    // A policy without inline scripts has no place for it, and every browser we aim at preloads by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ENTRIES },
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
