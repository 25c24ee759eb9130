import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryFolder } from './processes.ts';
import { logTail, startServer } from '../servers/server-process.ts';

/** The sources of the pages, their output, and the file with the hash of the last built sources. */
export type PagesBuild = { sources: readonly string[]; output: string; mark: string };

const inRepository = (path: string) => join(repositoryFolder, path);
const PAGES: PagesBuild = {
  sources: [
    'services/web/src',
    'services/web/build',
    'services/web/package.json',
    'packages/domain/src',
    'package-lock.json',
  ].map(inRepository),
  output: inRepository('services/web/dist'),
  mark: inRepository('.paywatch/pages-built-from'),
};

/**
 * Builds the pages, unless their sources are unchanged since the last build or PAYWATCH_WEB_BUILT is set. The output of the build goes
 * to a file in `folder`.
 */
export async function buildPages(folder: string): Promise<void> {
  if (process.env['PAYWATCH_WEB_BUILT'] !== undefined || isBuiltFrom(PAGES)) return;
  rmSync(PAGES.mark, { force: true });
  const builder = await startServer({
    name: 'page builder',
    command: process.execPath,
    args: [inRepository('services/web/build/build.ts')],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    logFile: join(folder, 'pages.log'),
  });
  await builder.exited;
  if (builder.exitCode() !== 0)
    throw new Error(`building the pages failed:\n${logTail(builder.logFile, 30)}`);
  markBuilt(PAGES);
}

/** Whether `output` was built from the current content of the sources. */
export function isBuiltFrom(build: PagesBuild): boolean {
  return existsSync(build.mark) && readFileSync(build.mark, 'utf8') === describe(build);
}

/** Stores the hashes of the sources and of the output. */
export function markBuilt(build: PagesBuild): void {
  mkdirSync(dirname(build.mark), { recursive: true });
  writeFileSync(build.mark, describe(build));
}

function describe({ sources, output }: PagesBuild): string {
  return `${hashFiles(sources.flatMap(filesBelow))} ${hashFiles(filesBelow(output))}`;
}

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
}

function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
