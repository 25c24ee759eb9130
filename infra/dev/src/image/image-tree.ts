/**
 * The files of the image. The Dockerfile runs `node infra/dev/src/image/image-tree.ts FOLDER` after `npm ci` and the build of the pages,
 * to copy them into FOLDER.
 */
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { deployedPackages, type DeployedPackage } from './deployed-packages.ts';
import { bundleImage, IMAGE_BUNDLES } from './image-bundles.ts';
import { repositoryFolder } from '../stack/processes.ts';

/** The files of a workspace, if they exist; without tests and build files. */
const WORKSPACE_PARTS = ['package.json', 'src', 'migrations'];
const PAGES = 'services/web';
const OTHERS = ['package.json', 'infra/image', `${PAGES}/dist`];

/** Files of packages that Node does not load: TypeScript, source maps, and native builds for other platforms. */
const UNUSED = /\.(map|[cm]?tsx?)$/;
const NATIVE_BUILDS = /\/node_modules\/zeromq\/build\/(darwin|linux|win32)(?:\/(\w+))?/;

if (import.meta.main) await assembleImage(process.argv[2] ?? '');

/** Copies the files from this checkout into a new folder, and bundles the programs there. Throws if the pages are not built. */
export async function assembleImage(folder: string): Promise<void> {
  if (folder === '') throw new Error('usage: image-tree.ts FOLDER');
  for (const path of OTHERS) copy(path, folder);
  for (const one of deployedPackages()) place(one, folder);
  await bundleImage(join(folder, IMAGE_BUNDLES), IMAGE_BUNDLES);
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

/** The lock also contains packages of other platforms, which are not installed. */
function copyInstalled(path: string, folder: string): void {
  if (existsSync(join(repositoryFolder, path))) copy(path, folder);
}

function copy(path: string, folder: string): void {
  const from = join(repositoryFolder, path);
  // Nested packages are copied separately, if they are needed.
  const isWanted = (file: string) => isUsed(file) && !file.slice(from.length).includes('/node_modules');
  cpSync(from, join(folder, path), { recursive: true, filter: isWanted });
}

function isUsed(file: string): boolean {
  if (file.includes('/node_modules/') && UNUSED.test(file)) return false;
  const [, platform = process.platform, arch = process.arch] = NATIVE_BUILDS.exec(file) ?? [];
  return platform === process.platform && arch === process.arch;
}
