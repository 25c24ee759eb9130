/**
 * Mends installed npm packages with the diffs of this folder, each named `<package>@<version>.diff`. npm runs it after every
 * install; running it again changes nothing. Plain JavaScript without a dependency: it runs on whatever Node npm runs on.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** Throws when a package has another version than its diff, or text that the diff does not know. */
export function applyPatches() {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.diff'))) applyPatch(name);
}

function applyPatch(name) {
  const [, packageName, version] = /^(.+)@([^@]+)\.diff$/.exec(name);
  const root = join(packages, packageName);
  const installed = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  if (installed !== version)
    throw new Error(`${name} is for another version than the installed ${installed}: renew it or remove it`);
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
  if (parts.length !== 2) throw new Error(`${where}: a hunk fits ${parts.length - 1} times:\n${before}`);
  return parts.join(after);
}

/** A new file in place of the old one: npm's cache, or another install, may share the old one by a hard link. */
function replaceFile(path, text) {
  writeFileSync(`${path}.patched`, text);
  renameSync(`${path}.patched`, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) applyPatches();
