import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { distFolder } from './vite-options.ts';

/** Copies the favicon to the assets under a hashed name. Returns its URL path. */
export async function writeIcon(): Promise<string> {
  const bytes = await readFile(new URL('../src/design/icon.svg', import.meta.url));
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8);
  const path = `/assets/icon-${hash}.svg`;
  await writeFile(`${distFolder}/client${path}`, bytes);
  return path;
}
