/**
 * The entry of `npm run build`: writes the published package to `dist`. The TypeScript source cannot be published,
 * since Node does not run TypeScript from node_modules.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { publishedManifest, type SourceManifest } from './published-manifest.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const dist = `${folder}dist`;
/** The repository's compiler; openapi-typescript installs an older one. */
const tsc = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));

rmSync(dist, { recursive: true, force: true });
await build({
  root: folder,
  configFile: false,
  logLevel: 'warn',
  build: {
    target: 'es2023',
    outDir: dist,
    sourcemap: true,
    minify: true,
    lib: {
      entry: { index: `${folder}src/index.ts`, button: `${folder}src/button.ts` },
      formats: ['es'],
      fileName: (_format, name) => `${name}.js`,
    },
    // Libraries keep all comments and top-level variables by default, which makes the package larger. The annotations of pure calls
    // stay: with them, bundlers of shops drop the error classes that the shop does not name.
    rolldownOptions: {
      output: {
        minify: true,
        topLevelVar: false,
        comments: { annotation: true, jsdoc: false, legal: false },
      },
    },
  },
});
const { status } = spawnSync(tsc, ['-p', `${folder}build/tsconfig.json`], { stdio: 'inherit' });
if (status !== 0) throw new Error('tsc could not write the type declarations');
const manifest: SourceManifest = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
writeFileSync(`${dist}/package.json`, `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
copyFileSync(`${folder}README.md`, `${dist}/README.md`);
cpSync(`${folder}examples`, `${dist}/examples`, { recursive: true });
