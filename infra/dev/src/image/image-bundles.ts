/**
 * The programs of the image as bundles. A bundle starts in half the time that the 1,800 modules of its sources take, and needs 60 MB
 * less memory: Node keeps the text of every module, and a compiler for TypeScript in every thread.
 */
import { basename, join, relative } from 'node:path';
import type { Plugin } from 'rolldown';
import { EXTERNAL } from '../stack/service-bundles.ts';
import { repositoryFolder } from '../stack/processes.ts';

const PROGRAMS = ['api', 'cli', 'serve', 'watcher', 'webhook-worker'];

/** Found by a URL that names a TypeScript file. */
const THREADS = [
  'packages/runtime/src/health/probe-thread.ts',
  'services/api/src/wallets/derivation-worker.ts',
];

/** Where the bundles are, relative to the root of the image. */
export const IMAGE_BUNDLES = 'bundles';

/**
 * Writes the bundles into `folder`. `place` is where they will be, relative to the folder of the repository or of the image: SQL, Lua
 * and the native modules are read from there.
 */
export async function bundleImage(folder: string, place: string): Promise<void> {
  const { build } = await import('rolldown');
  const programs = PROGRAMS.map((name) => [name, `services/${name}/src/main.ts`]);
  const threads = THREADS.map((path) => [basename(path, '.ts'), path]);
  await build({
    input: Object.fromEntries(
      [...programs, ...threads].map(([name, path]) => [name, join(repositoryFolder, path ?? '')]),
    ),
    platform: 'node',
    // The queue board is read from its source: in a chunk with what it shares with the programs, all of them would load it.
    external: [...EXTERNAL.filter((name) => name !== '@paywatch/serve'), '@paywatch/store/queue-board'],
    plugins: [relativeUrls(place), asciiOnly],
    logLevel: 'silent',
    output: {
      dir: folder,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      // Names stay, so that stacks can be read.
      minify: { compress: false, mangle: false, codegen: true },
    },
  });
}

/** Bundles the programs as in the image, below the folder of the repository, and returns their folder, for PAYWATCH_BUNDLES. */
export async function bundlePrograms(): Promise<string> {
  const place = '.paywatch/programs';
  const folder = join(repositoryFolder, place);
  await bundleImage(folder, place);
  return folder;
}

/** Files beside a source are read from where the sources are, threads from the folder of the bundles. */
function relativeUrls(place: string): Plugin {
  return {
    name: 'relative-urls',
    transform: {
      filter: { id: /\/(packages|services)\/[^/]+\/src\//, code: 'import.meta.url' },
      handler: (code, id) => {
        const source = relative(join(repositoryFolder, place), id);
        return code
          .replace(
            /new URL\('(?:\.\/)?([\w-]+)\.ts', import\.meta\.url\)/g,
            "new URL('./$1.mjs', MODULE_URL)",
          )
          .replaceAll('import.meta.url', `new URL(${JSON.stringify(source)}, import.meta.url).href`)
          .replaceAll('MODULE_URL', 'import.meta.url');
      },
    },
  };
}

/** V8 keeps a text with any other character in two bytes for each of its characters. */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  generateBundle: (_options, bundle) => {
    for (const part of Object.values(bundle))
      if (part.type === 'chunk') part.code = part.code.replace(/[^\0-\x7f]/g, escapeCodeUnit);
  },
};

function escapeCodeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
