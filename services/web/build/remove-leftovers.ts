import { readdir, rm } from 'node:fs/promises';
import type { Manifest } from 'vite';
import { builtFiles } from './page-assets.ts';
import { distFolder } from './vite-options.ts';

/** Removes assets of earlier builds. */
export async function removeLeftovers(manifest: Manifest, icon: string): Promise<void> {
  const kept = new Set(builtFiles(manifest, icon));
  const names = await readdir(`${distFolder}/client/assets`);
  const leftovers = names.filter((name) => !kept.has(`/assets/${name.replace(/\.(br|gz)$/, '')}`));
  await Promise.all(leftovers.map((name) => rm(`${distFolder}/client/assets/${name}`)));
}
