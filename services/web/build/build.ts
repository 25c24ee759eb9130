/** The entry of `npm run build`: builds scripts and styles, compresses them, and builds the server's renderer. */
import { readFile } from 'node:fs/promises';
import { build, type Manifest } from 'vite';
import { compressAssets } from './compress-assets.ts';
import { copyAsset } from './copy-asset.ts';
import { builtFiles, pageAssets } from './page-assets.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { clientBuild, distFolder, embedBuild, previewBuild, serverBuild } from './vite-options.ts';

// Old files are removed at the end, so that a server starting during the build finds a complete one.
await build(clientBuild);
await build(previewBuild);
const manifest = { ...(await readManifest('manifest-preview')), ...(await readManifest('manifest')) };
const images = { icon: await copyAsset('icon.svg'), linkImage: await copyAsset('link-image.png') };
await build(embedBuild);
await compressAssets([...builtFiles(manifest, images), '/embed.js']);
await build(serverBuild(pageAssets(manifest, images)));
await removeLeftovers(manifest, images);

async function readManifest(name: string): Promise<Manifest> {
  return JSON.parse(await readFile(`${distFolder}/client/${name}.json`, 'utf8'));
}
