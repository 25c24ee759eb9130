/**
 * What the image consists of, and nothing else. The entry of the Dockerfile's build: `node infra/dev/src/stack/image-tree.ts FOLDER` leaves it
 * there, after `npm ci` and the build of the pages.
 */
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { deployedPackages, type DeployedPackage } from './deployed-packages.ts';
import { repositoryFolder } from './processes.ts';

/** Of a workspace, as far as it has them. Tests and what builds it stay behind. */
const WORKSPACE_PARTS = ['package.json', 'src', 'migrations'];
const PAGES = 'services/web';
const OTHERS = ['package.json', 'infra/image', `${PAGES}/dist`];

/** In packages, TypeScript and maps are for who reads them: Node loads neither. A native module brings builds for other machines. */
const UNUSED = /\.(map|[cm]?tsx?)$/;
const NATIVE_BUILDS = /\/node_modules\/zeromq\/build\/(darwin|linux|win32)(?:\/(\w+))?/;

if (import.meta.main) assembleImage(process.argv[2] ?? '');

/** Copies it from this checkout into a folder that does not have it yet. Throws where the pages are not built. */
export function assembleImage(folder: string): void {
  if (folder === '') throw new Error('into which folder?');
  for (const path of OTHERS) copy(path, folder);
  for (const one of deployedPackages()) place(one, folder);
}

function place({ path, linksTo }: DeployedPackage, folder: string): void {
  if (linksTo !== undefined) return link(path, linksTo, folder);
  if (path.includes('node_modules/')) return copyInstalled(path, folder);
  if (path === PAGES) return;
  for (const part of WORKSPACE_PARTS) copyInstalled(`${path}/${part}`, folder);
}

function link(path: string, target: string, folder: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  symlinkSync(relative(dirname(path), target), join(folder, path));
}

/** The lock names packages of every platform. */
function copyInstalled(path: string, folder: string): void {
  if (existsSync(join(repositoryFolder, path))) copy(path, folder);
}

function copy(path: string, folder: string): void {
  const from = join(repositoryFolder, path);
  // What a package has below itself is copied by its own name, where it is needed.
  const isWanted = (file: string) => isUsed(file) && !file.slice(from.length).includes('/node_modules');
  cpSync(from, join(folder, path), { recursive: true, filter: isWanted });
}

function isUsed(file: string): boolean {
  if (file.includes('/node_modules/') && UNUSED.test(file)) return false;
  const [, platform = process.platform, arch = process.arch] = NATIVE_BUILDS.exec(file) ?? [];
  return platform === process.platform && arch === process.arch;
}
