/**
 * One file per service, which `npm test` makes of the sources before it starts any test: Node loads a bundle in a third of the CPU time
 * that the 1,300 modules of a service take.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import { repositoryFolder } from './processes.ts';

const FOLDER = join(repositoryFolder, '.paywatch/bundles');

const SERVICES = ['api', 'cli', 'serve', 'watcher', 'webhook-worker'];

/** Native modules, and packages that are loaded only where they are configured or asked for. */
export const EXTERNAL = ['@paywatch/serve', /^@node-rs\//, /^@bull-board\//, 'zeromq', 'msgpackr-extract'];

/** SQL, Lua and worker threads are looked up beside the source file that names them. */
const sourceUrls: Plugin = {
  name: 'source-urls',
  transform: {
    filter: { id: /\/(packages|services)\/[^/]+\/src\//, code: 'import.meta.url' },
    handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
};

/** Bundles every service from its sources and returns the folder of the bundles, for PAYWATCH_BUNDLES. */
export async function bundleServices(): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  await Promise.all(SERVICES.map(bundleService));
  return FOLDER;
}

async function bundleService(service: string): Promise<void> {
  const { build } = await import('rolldown');
  const bundle = `${service}.bundle.mjs`;
  const { output } = await build({
    input: join(repositoryFolder, 'services', service, 'src/main.ts'),
    platform: 'node',
    external: EXTERNAL,
    plugins: [sourceUrls],
    logLevel: 'silent',
    write: false,
    output: { file: join(FOLDER, bundle), codeSplitting: false, sourcemap: true },
  });
  for (const part of output) replaceFile(part.fileName, part.type === 'chunk' ? part.code : part.source);
  replaceFile(`${service}.mjs`, startOf(bundle));
}

/** Node maps stacks to sources only in modules that it loads after this. */
function startOf(bundle: string): string {
  return `import { setSourceMapsSupport } from 'node:module';
setSourceMapsSupport(true);
await import('./${bundle}');
`;
}

/** At once: another run of the tests may be starting services from these files. */
function replaceFile(name: string, content: string | Uint8Array): void {
  const file = join(FOLDER, name);
  writeFileSync(`${file}.${process.pid}`, content);
  renameSync(`${file}.${process.pid}`, file);
}
