import { readdir, rm } from 'node:fs/promises';
import type { Manifest } from 'vite';
import type { PageImages } from '../src/server/page-assets.ts';
import { builtFiles } from './page-assets.ts';
import { distFolder } from './vite-options.ts';

/** Removes assets of earlier builds. */
export async function removeLeftovers(manifest: Manifest, images: PageImages): Promise<void> {
  const kept = new Set(builtFiles(manifest, images));
  const names = await readdir(`${distFolder}/client/assets`);
  const leftovers = names.filter((name) => !kept.has(`/assets/${name.replace(/\.(br|gz)$/, '')}`));
  await Promise.all(leftovers.map((name) => rm(`${distFolder}/client/assets/${name}`)));
}
