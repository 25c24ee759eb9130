import { readdir, rm } from 'node:fs/promises';
import type { Manifest } from 'vite';
import { builtFiles } from './page-assets.ts';
import { distFolder } from './vite-options.ts';

/** Removes the assets of builds before this one, which no page names any more. */
export async function removeLeftovers(manifest: Manifest, icon: string): Promise<void> {
  const kept = new Set(builtFiles(manifest, icon));
  const names = await readdir(`${distFolder}/client/assets`);
  const leftovers = names.filter((name) => !kept.has(`/assets/${name.replace(/\.(br|gz)$/, '')}`));
  await Promise.all(leftovers.map((name) => rm(`${distFolder}/client/assets/${name}`)));
}
