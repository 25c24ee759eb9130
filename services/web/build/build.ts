/** The entry of `npm run build`: scripts and styles, the server's renderer that knows their names, smaller copies of both. */
import { readFile } from 'node:fs/promises';
import { build, type Manifest } from 'vite';
import { compressAssets } from './compress-assets.ts';
import { writeIcon } from './icon.ts';
import { pageAssets } from './page-assets.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { clientBuild, distFolder, serverBuild } from './vite-options.ts';

// Over the build before, and what that left is removed at the end: a server that starts meanwhile finds a whole one.
await build(clientBuild);
const manifest: Manifest = JSON.parse(await readFile(`${distFolder}/client/manifest.json`, 'utf8'));
const icon = await writeIcon();
await compressAssets(manifest, icon);
await build(serverBuild(pageAssets(manifest, icon)));
await removeLeftovers(manifest, icon);
