/**
 * Applies the diffs of this folder, named `<package>@<version>.diff`, to the installed npm packages. npm runs it after every install;
 * it is idempotent. Plain JavaScript without dependencies, because it runs on npm's Node.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** Throws if the package has another version than the diff, or if a hunk does not match. */
export function applyPatches() {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.diff'))) applyPatch(name);
}

function applyPatch(name) {
  const [, packageName, version] = /^(.+)@([^@]+)\.diff$/.exec(name);
  const root = join(packages, packageName);
  const installed = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  if (installed !== version)
    throw new Error(`${name} does not match the installed version ${installed}: update or remove it`);
  for (const file of readFileSync(join(folder, name), 'utf8').split(/^(?=--- )/m)) {
    const path = join(root, /^--- a\/(.+)$/m.exec(file)[1]);
    const before = readFileSync(path, 'utf8');
    const after = file
      .split(/^@@.*\n/m)
      .slice(1)
      .reduce((text, hunk) => applyHunk(text, hunk, `${name}: ${path}`), before);
    if (after !== before) replaceFile(path, after);
  }
}

/** Finds a hunk by its text, not by its line. */
function applyHunk(text, hunk, where) {
  const lines = hunk.replace(/\n$/, '').split('\n');
  const linesWithout = (sign) => lines.filter((line) => line[0] !== sign).map((line) => `${line.slice(1)}\n`);
  const [before, after] = [linesWithout('+').join(''), linesWithout('-').join('')];
  if (text.includes(after)) return text;
  const parts = text.split(before);
  if (parts.length !== 2) throw new Error(`${where}: a hunk matches ${parts.length - 1} times:\n${before}`);
  return parts.join(after);
}

/** Replaces the file instead of writing to it: a hard link may share it with npm's cache or another install. */
function replaceFile(path, text) {
  writeFileSync(`${path}.patched`, text);
  renameSync(`${path}.patched`, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) applyPatches();
