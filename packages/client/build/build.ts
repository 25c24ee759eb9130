/**
 * The entry of `npm run build`: writes `dist`, which is the package as it is published. What lies beside it is its
 * source, which Node would not run from a node_modules folder.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { publishedManifest, type SourceManifest } from './published-manifest.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const dist = `${folder}dist`;
/** The repository's; the generator of the types brings an older one along. */
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
    lib: { entry: `${folder}src/index.ts`, formats: ['es'], fileName: () => 'index.js' },
    // A library is minified less by default, for bundlers that look for its comments; and constants are inlined only as such.
    rolldownOptions: {
      output: { minify: true, topLevelVar: false, comments: { annotation: false } },
    },
  },
});
const { status } = spawnSync(tsc, ['-p', `${folder}build/tsconfig.json`], { stdio: 'inherit' });
if (status !== 0) throw new Error('the types could not be written');
const manifest: SourceManifest = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
writeFileSync(`${dist}/package.json`, `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
copyFileSync(`${folder}README.md`, `${dist}/README.md`);
cpSync(`${folder}examples`, `${dist}/examples`, { recursive: true });
