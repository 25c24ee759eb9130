import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { parse } from 'node:path';
import { distFolder } from './vite-options.ts';

/** Copies a file of `src/design` to the assets under a hashed name. Returns its URL path. */
export async function copyAsset(file: string): Promise<string> {
  const bytes = await readFile(new URL(`../src/design/${file}`, import.meta.url));
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8);
  const { name, ext } = parse(file);
  const path = `/assets/${name}-${hash}${ext}`;
  await writeFile(`${distFolder}/client${path}`, bytes);
  return path;
}
